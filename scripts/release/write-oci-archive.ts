// An image as one file: the layout of OCI and, beside it, the list that `docker load` wants. Written here and not by a
// container engine, whose versions write different bytes; podman, docker, skopeo and registries' tools read it.
import { createHash } from 'node:crypto';
import { compress, type TarEntry, writeTar } from '../../src/base/write-tar.ts';

export interface Image {
  /** With its version: `agent-platform-service:1.2.3`. */
  readonly name: string;
  readonly architecture: string;
  readonly epochSeconds: number;
  /** Uncompressed, lowest first, each with what made it. */
  readonly layers: readonly { readonly tar: Buffer; readonly madeBy: string }[];
  readonly config: {
    readonly User: string;
    readonly WorkingDir: string;
    readonly Env: readonly string[];
    readonly Cmd: readonly string[];
    readonly ExposedPorts: Readonly<Record<string, object>>;
    readonly Labels: Readonly<Record<string, string>>;
  };
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';

export function writeOciArchive({ name, architecture, epochSeconds, layers, config }: Image): Buffer {
  const created = new Date(epochSeconds * 1_000).toISOString();
  const blobs = new Map<string, Buffer>();
  const keep = (mediaType: string, bytes: Buffer): { mediaType: string; digest: string; size: number } => {
    const digest = digestOf(bytes);
    blobs.set(pathOf(digest), bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const layerRefs = layers.map(({ tar }) => keep(LAYER, compress(tar)));
  const configRef = keep(
    CONFIG,
    json({
      created,
      architecture,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: layers.map(({ tar }) => digestOf(tar)) },
      history: layers.map(({ madeBy }) => ({ created, created_by: madeBy })),
    }),
  );
  const annotations = { ...config.Labels, 'org.opencontainers.image.created': created };
  const manifestRef = keep(
    MANIFEST,
    json({ schemaVersion: 2, mediaType: MANIFEST, config: configRef, layers: layerRefs, annotations }),
  );
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        ...manifestRef,
        platform: { architecture, os: 'linux' },
        annotations: {
          'org.opencontainers.image.ref.name': name,
          'io.containerd.image.name': `docker.io/library/${name}`,
        },
      },
    ],
  };
  const forDocker = [
    { Config: pathOf(configRef.digest), RepoTags: [name], Layers: layerRefs.map(({ digest }) => pathOf(digest)) },
  ];
  const entries: TarEntry[] = [
    { path: 'oci-layout', content: json({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', content: json(index) },
    { path: 'manifest.json', content: json(forDocker) },
    ...[...blobs].map(([path, content]) => ({ path, content })),
  ];
  return writeTar(entries, epochSeconds);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function pathOf(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
