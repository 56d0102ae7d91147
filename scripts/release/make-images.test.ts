import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEPLOY } from '../read-deploy-files.ts';
import { SUITE } from './make-debian-base.ts';
import { IMAGE_ENVIRONMENT, IMAGES } from './make-images.ts';
import { writeOciArchive } from './write-oci-archive.ts';
import { writeTar } from '../../src/base/write-tar.ts';

describe('an image of a release', () => {
  const text = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8').replaceAll(/\\\n/g, ' ');
  const [, service = '', sandbox = '', backup = ''] = text.split(/^FROM .* AS (?:service|sandbox|backup)$/m);
  const last = (stage: string, word: string): string => stage.match(new RegExp(`(?<=^${word} ).*`, 'gm'))?.at(-1) ?? '';

  it.each([
    ['service', service],
    ['sandbox', sandbox],
    ['backup', backup],
  ] as const)('of the %s is what deploy/Dockerfile builds', (name, stage) => {
    const row = IMAGES[name];
    expect([last(stage, 'USER'), last(stage, 'CMD'), last(stage, 'EXPOSE')]).toEqual([
      row.user,
      JSON.stringify(row.command).replaceAll(',', ', '),
      row.ports.join(' '),
    ]);
    const installed = /--no-install-recommends ([^&]+) &&/.exec(stage)?.[1]?.split(' ') ?? [];
    expect(installed.filter((one) => one !== '' && !(row.packages as readonly string[]).includes(one))).toEqual([]);
  });

  it('has the environment and the Debian of the Dockerfile', () => {
    const set = last(service, 'ENV').split(/\s+/);
    expect(set).toEqual(Object.entries(IMAGE_ENVIRONMENT).map(([name, value]) => `${name}=${value}`));
    expect(text).toMatch(new RegExp(`^FROM debian:${SUITE}`, 'm'));
  });
});

describe('an OCI archive', () => {
  const tar = writeTar([{ path: 'a/b.txt', content: Buffer.from('text') }], 1);
  const archive = writeOciArchive({
    name: 'thing:1.0',
    architecture: 'amd64',
    epochSeconds: 1,
    layers: [{ tar, madeBy: 'a test' }],
    config: { User: '1:1', WorkingDir: '/', Env: [], Cmd: ['true'], ExposedPorts: {}, Labels: {} },
  });
  const files = readTar(archive);

  it('leads from its index to the image by digests that hold', () => {
    const blob = (digest: string): Buffer => {
      const found = files.get(`blobs/${digest.replace(':', '/')}`) ?? Buffer.alloc(0);
      expect(`sha256:${createHash('sha256').update(found).digest('hex')}`).toBe(digest);
      return found;
    };
    const index = JSON.parse(String(files.get('index.json'))) as { manifests: { digest: string }[] };
    const manifest = JSON.parse(String(blob(index.manifests[0]?.digest ?? ''))) as {
      config: { digest: string };
      layers: { digest: string; size: number }[];
    };
    const config = JSON.parse(String(blob(manifest.config.digest))) as { rootfs: { diff_ids: string[] } };
    expect(config.rootfs.diff_ids).toEqual([`sha256:${createHash('sha256').update(tar).digest('hex')}`]);
    expect(blob(manifest.layers[0]?.digest ?? '')).toHaveLength(manifest.layers[0]?.size ?? -1);
    expect(JSON.parse(String(files.get('manifest.json')))).toMatchObject([{ RepoTags: ['thing:1.0'] }]);
  });

  it('refuses a path that no archive can hold', () => {
    expect(() => writeTar([{ path: 'x'.repeat(101), content: Buffer.alloc(0) }], 0)).toThrow('too long for an archive');
    expect([
      ...readTar(writeTar([{ path: `${'d'.repeat(90)}/${'f'.repeat(90)}`, content: Buffer.from('1') }], 0)),
    ]).toEqual([[`${'d'.repeat(90)}/${'f'.repeat(90)}`, Buffer.from('1')]]);
  });
});

/** Files of an archive, by path. */
function readTar(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const textAt = (at: number, length: number): string =>
    archive.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; archive[at] !== 0;) {
    const size = Number.parseInt(textAt(at + 124, 12), 8);
    const prefix = textAt(at + 345, 155);
    const path = `${prefix === '' ? '' : `${prefix}/`}${textAt(at, 100)}`;
    if (!path.endsWith('/')) files.set(path, archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
