// The artefacts that are files in an archive: the command line as npm installs it, the service for a machine without
// containers, and what compose and Kubernetes need beside the images. Each keeps the paths of the repository, so that
// the guides, the units and the comments in the files are right in it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../build-servicectl-package.ts';
import { gatherFile, gatherFiles } from './gather-files.ts';
import { type Artefacts, PLATFORM, type ReleaseInput } from './release-part.ts';
import { type TarEntry, writeTarGz } from '../../src/base/write-tar.ts';

/** On a machine that has no Node of its own. */
const STARTER = `#!/bin/sh
# servicectl on the Node that comes with the service.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$root/node_modules/node/bin/node" "$root/dist/servicectl.js" "$@"
`;

export function makePackage({ dist, build }: ReleaseInput): Artefacts {
  const entries = gatherFiles(join(dist, PACKAGE), 'package');
  return { [`agent-platform-servicectl-${build.version}.tgz`]: writeTarGz(entries, build.epochSeconds) };
}

export function makeServer({ root, dist, build }: ReleaseInput): Artefacts {
  const top = `agent-platform-${build.version}`;
  const entries = [
    ...aboutIt(root, top),
    ...serviceFiles(root, dist, top),
    ...gatherFile(join(root, 'node_modules/node/bin/node'), `${top}/node_modules/node/bin`),
    ...gatherFile(join(root, 'deploy/env.example'), `${top}/deploy`),
    ...['systemd', 'nginx', 'postgres', 'monitoring', 'backup'].flatMap((name) =>
      gatherFiles(join(root, 'deploy', name), `${top}/deploy/${name}`),
    ),
    { path: `${top}/bin/servicectl`, content: Buffer.from(STARTER), mode: 0o755 },
  ];
  return { [`agent-platform-server-${build.version}-${PLATFORM}.tar.gz`]: writeTarGz(entries, build.epochSeconds) };
}

export function makeComposeBundle({ root, build }: ReleaseInput): Artefacts {
  const top = `agent-platform-compose-${build.version}`;
  const compose = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const entries = [
    ...aboutIt(root, top),
    { path: `${top}/deploy/compose.yaml`, content: Buffer.from(withoutBuild(compose)) },
    ...gatherFile(join(root, 'deploy/env.example'), `${top}/deploy`),
    ...['nginx', 'postgres', 'monitoring'].flatMap((name) =>
      gatherFiles(join(root, 'deploy', name), `${top}/deploy/${name}`),
    ),
  ];
  return { [`${top}.tar.gz`]: writeTarGz(entries, build.epochSeconds) };
}

export function makeManifests({ root, build }: ReleaseInput): Artefacts {
  const top = `agent-platform-kubernetes-${build.version}`;
  const entries = [
    ...aboutIt(root, top),
    ...['kubernetes', 'postgres', 'monitoring', 'backup'].flatMap((name) =>
      gatherFiles(join(root, 'deploy', name), `${top}/deploy/${name}`),
    ),
  ];
  return { [`${top}.tar.gz`]: writeTarGz(entries, build.epochSeconds) };
}

/** What runs, but for the Node that runs it: the same on a machine and in an image. */
export function serviceFiles(root: string, dist: string, top: string): TarEntry[] {
  return [...gatherFile(join(root, 'package.json'), top), ...gatherFiles(dist, `${top}/dist`)];
}

function aboutIt(root: string, top: string): TarEntry[] {
  return [
    ...['LICENSE', 'CHANGELOG.md', 'SECURITY.md']
      .filter((name) => existsSync(join(root, name)))
      .flatMap((name) => gatherFile(join(root, name), top)),
    ...gatherFiles(join(root, 'docs'), `${top}/docs`, (path) => path.endsWith('.md')),
  ];
}

/** The images are the release's: there are no sources to build them from. */
function withoutBuild(compose: string): string {
  const without = compose.replaceAll(/^ +build: .*\n/gm, '').replaceAll(' --detach --build', ' --detach');
  if (/\bbuild\b/.test(without)) throw new Error('deploy/compose.yaml: a line still builds an image');
  return without;
}
