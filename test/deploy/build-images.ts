// The two targets of deploy/Dockerfile, built as an operator builds them. npm gets the settings and the cache of the
// machine for the time of the build; none of it is in the image.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceVersion } from '../../src/process/service-version.ts';
import { CACHE, must } from './engine.ts';

export const TARGETS = ['service', 'sandbox'] as const;
export const VERSION = serviceVersion();
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
