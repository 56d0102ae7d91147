// The two targets of deploy/Dockerfile, built as an operator builds them. npm gets the settings and the cache of the
// machine for the time of the build; none of it is in the image.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildInfo } from '../../src/process/build-info.ts';
import { CACHE, must, podman } from './engine.ts';

export const TARGETS = ['service', 'sandbox'] as const;
export const VERSION = buildInfo().version;
export const RELEASE = join(CACHE, 'release');
export const VERSION_LABEL = 'org.opencontainers.image.version';
/** The same program under another label: what an upgrade looks like to the engine. */
export const NEXT_VERSION = `${VERSION}-next`;

export function imageName(target: (typeof TARGETS)[number], version: string): string {
  return `localhost/agent-platform-${target}:${version}`;
}

export function buildTarget(target: (typeof TARGETS)[number]): void {
  const npmrc = join(CACHE, 'npmrc');
  writeFileSync(npmrc, npmSettings(), { mode: 0o600 });
  const volumes = [`${npmrc}:/root/.npmrc:ro`, `${npmSetting('cache')}:/root/.npm:rw`];
  const args = [
    'build',
    '--pull-never',
    '--layers',
    '--format',
    'docker',
    '--isolation',
    'chroot',
    '--network',
    'host',
    ...volumes.flatMap((volume) => ['--volume', volume]),
  ];
  try {
    must('buildah', [
      ...args,
      '--file',
      'deploy/Dockerfile',
      '--target',
      target,
      '--tag',
      imageName(target, VERSION),
      '.',
    ]);
  } finally {
    rmSync(npmrc);
  }
}

/** Everything that is published of a version, with its images beside those of the Dockerfile. */
export function makeRelease(): void {
  must(process.execPath, ['scripts/release/main.ts', '--allow-changes', '--output', RELEASE]);
}

export function loadReleased(target: (typeof TARGETS)[number]): void {
  const archive = join(RELEASE, `agent-platform-${target}-${VERSION}-${process.platform}-${process.arch}.oci.tar`);
  const [, loaded = ''] = /^Loaded image: (\S+)$/m.exec(podman('load', '--input', archive)) ?? [];
  podman('tag', loaded, releasedImage(`agent-platform-${target}:${VERSION}`));
  podman('untag', loaded, loaded);
}

/** Where an image of the release is in the engine, by its name in the files of the release. */
export function releasedImage(name: string): string {
  return name.startsWith('agent-platform-') ? `localhost/released/${name}` : name;
}

export function labelNext(target: (typeof TARGETS)[number]): void {
  const container = must('buildah', ['from', '--pull-never', imageName(target, VERSION)]);
  must('buildah', ['config', '--label', `${VERSION_LABEL}=${NEXT_VERSION}`, container]);
  must('buildah', ['commit', '--quiet', '--rm', '--format', 'docker', container, imageName(target, NEXT_VERSION)]);
}

/** Files first, as npm reads them, then the registry, which may be named in the environment alone. */
function npmSettings(): string {
  const files = ['globalconfig', 'userconfig']
    .map(npmSetting)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  return [...files, `registry=${npmSetting('registry')}`, ''].join('\n');
}

/** Away from the checkout: its own settings are in the build already. */
function npmSetting(name: string): string {
  return must('npm', ['config', 'get', name], { cwd: '/' }).split('\n').at(-1) ?? '';
}
