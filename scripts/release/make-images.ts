// The images of the service, of the sandbox and of backups, with the SBOM of each: what deploy/Dockerfile builds for those who build
// their own, from Debian packages, the Node of the lock file and this build. A test compares the two.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sbom, withDebianPackages } from '../sbom.ts';
import { gatherFile } from './gather-files.ts';
import { serviceFiles } from './make-archives.ts';
import { type BaseWanted, makeDebianBase, SUITE, USER_NUMBER } from './make-debian-base.ts';
import { type Artefacts, PLATFORM, type ReleaseInput } from './release-part.ts';
import { writeOciArchive } from './write-oci-archive.ts';
import { writeTar } from '../../src/base/write-tar.ts';

/** What images are called where Node says something else. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const COMMON = ['ca-certificates', 'libstdc++6'];

interface ImageRow extends BaseWanted {
  readonly title: string;
  readonly user: string;
  readonly command: readonly string[];
  readonly ports: readonly number[];
}

export const IMAGES = {
  service: {
    name: 'agent-platform-service',
    title: 'Agent platform: every part but the sandbox',
    variant: 'essential',
    packages: COMMON,
    user: `${USER_NUMBER}:${USER_NUMBER}`,
    command: ['node', 'dist/gateway.js'],
    ports: [4000, 4001, 4002, 4003],
  },
  // Root, because it gives each run its own user, a cgroup and mounts; with apt, because operators add what runs need.
  sandbox: {
    name: 'agent-platform-sandbox',
    title: 'Agent platform: the sandbox controller',
    variant: 'minbase',
    packages: [...COMMON, 'bubblewrap', 'git'],
    user: '0:0',
    command: ['node', 'dist/sandbox.js'],
    ports: [4008],
  },
  backup: {
    name: 'agent-platform-backup',
    title: 'Agent platform: backups in a cluster',
    variant: 'essential',
    packages: [...COMMON, 'postgresql-client'],
    user: `${USER_NUMBER}:${USER_NUMBER}`,
    command: ['node', 'dist/servicectl.js', 'admin', 'backup', '--help'],
    ports: [],
  },
} as const satisfies Record<string, ImageRow>;

export const IMAGE_ENVIRONMENT = {
  NODE_ENV: 'production',
  SERVICE_DATA_DIR: '/var/lib/service',
  SERVICE_LISTEN_HOST: '0.0.0.0',
} as const;

export function makeImages(input: ReleaseInput): Artefacts {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined || process.platform !== 'linux')
    throw new Error(`images are made on Linux, on x64 or arm64, and this is ${PLATFORM}`);
  const program = programLayer(input);
  return Object.fromEntries(Object.values(IMAGES).flatMap((row) => makeImage(row, input, { architecture, program })));
}

function makeImage(
  row: ImageRow,
  { build, dist, mirrors, scratch }: ReleaseInput,
  { architecture, program }: { architecture: string; program: Buffer },
): [string, Buffer][] {
  const { layer, packages } = makeDebianBase(row, { scratch, epochSeconds: build.epochSeconds, mirrors });
  const image = writeOciArchive({
    name: `${row.name}:${build.version}`,
    architecture,
    epochSeconds: build.epochSeconds,
    layers: [
      { tar: layer, madeBy: `mmdebstrap --variant=${row.variant} --include=${row.packages.join(',')} ${SUITE}` },
      { tar: program, madeBy: `npm run release, build ${build.id}` },
    ],
    config: {
      User: row.user,
      WorkingDir: '/app',
      Env: [
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        ...Object.entries(IMAGE_ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
      ],
      Cmd: row.command,
      ExposedPorts: Object.fromEntries(row.ports.map((port) => [`${port}/tcp`, {}])),
      Labels: {
        'org.opencontainers.image.title': row.title,
        'org.opencontainers.image.version': build.version,
        'org.opencontainers.image.revision': build.commit,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.base.name': `debian:${SUITE}`,
      },
    },
  });
  const sbom = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')) as Sbom;
  const name = `${row.name}-${build.version}-${PLATFORM}`;
  return [
    [`${name}.oci.tar`, image],
    [
      `${name}.sbom.cdx.json`,
      Buffer.from(`${JSON.stringify(withDebianPackages(sbom, packages, SUITE), undefined, 2)}\n`),
    ],
  ];
}

function programLayer({ root, dist, build }: ReleaseInput): Buffer {
  return writeTar(
    [
      ...gatherFile(join(root, 'node_modules/node/bin/node'), 'usr/local/bin'),
      ...serviceFiles(root, dist, 'app'),
      ...gatherFile(join(root, 'deploy/healthcheck.mjs'), 'app/deploy'),
      ...gatherFile(join(root, 'LICENSE'), 'app'),
    ],
    build.epochSeconds,
  );
}
