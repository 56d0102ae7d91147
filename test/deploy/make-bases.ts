// The images that deploy/ names and that are not ours, made here under the same names: a base by debootstrap from the
// machine's own mirror, Node on it, PostgreSQL on it. So the Dockerfile and the compose file are used as they are.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { composeServices, DEPLOY } from '../../scripts/read-deploy-files.ts';
import { CACHE, must, podman, ROOT, run } from './engine.ts';

const IMAGES = join(import.meta.dirname, 'images');
/** Of the line that comes with the pinned Node. */
const NPM = 'npm@11.21.1';

export type Step = (what: string, work: () => void) => void;

/** What the first lines of the Dockerfile's stages name. */
function readBases(): { node: string; debian: string } {
  const bases = [...readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+) AS /gm)].map(
    ([, name = '']) => name,
  );
  const find = (start: string): string => {
    const found = bases.find((name) => name.startsWith(`${start}:`));
    if (found === undefined) throw new Error(`deploy/Dockerfile is not based on ${start}`);
    return `docker.io/library/${found}`;
  };
  return { node: find('node'), debian: find('debian') };
}

export function findDebianBase(): string {
  return readBases().debian;
}

/** Node is needed to build the Dockerfile. */
export function makeBases(step: Step, { withNode }: { withNode: boolean }): void {
  const { node, debian } = readBases();
  const postgres = `docker.io/library/${composeServices()['postgres']?.image}`;
  if (!has(debian)) step(`a base by debootstrap, as ${debian}`, () => makeDebian(debian));
  if (withNode && !has(node)) step(`Node on it, as ${node}`, () => makeNode(node, debian));
  step(`Debian's PostgreSQL on it, as ${postgres}`, () => buildImage(join(IMAGES, 'postgres'), postgres, debian));
}

const has = (image: string): boolean => run('podman', ['image', 'exists', image]).status === 0;

function makeDebian(image: string): void {
  const codename = /debian:([a-z]+)/.exec(image)?.[1] ?? '';
  const root = join(CACHE, 'base');
  rmSync(root, { recursive: true, force: true });
  must('debootstrap', ['--variant=minbase', '--include=ca-certificates', codename, root, findMirror(codename)]);
  // What RUN lines fetch, they fetch as this machine does: its mirrors, proxies and authorities.
  rmSync(join(root, 'etc/apt/sources.list'), { force: true });
  cpSync('/etc/apt', join(root, 'etc/apt'), { recursive: true, force: true });
  if (existsSync('/etc/ssl/certs/ca-certificates.crt'))
    cpSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt'));
  for (const left of ['var/cache/apt', 'var/lib/apt/lists', 'var/log'])
    rmSync(join(root, left), { recursive: true, force: true });
  for (const made of ['var/cache/apt/archives/partial', 'var/lib/apt/lists/partial', 'var/log'])
    mkdirSync(join(root, made), { recursive: true });
  const archive = join(CACHE, 'base.tar');
  must('tar', ['--create', '--numeric-owner', '--file', archive, '--directory', root, '.']);
  podman('import', '--change', 'CMD ["bash"]', archive, image);
  rmSync(root, { recursive: true });
  rmSync(archive);
}

/** From the machine's own configuration of apt. */
function findMirror(codename: string): string {
  const { stdout } = run('apt-get', ['indextargets', '--format', '$(RELEASE) $(SITE)', 'Created-By: Packages']);
  const mirror = stdout
    .split('\n')
    .map((line) => line.split(' '))
    .find(([release]) => release === codename)?.[1];
  if (mirror === undefined) throw new Error(`apt on this machine knows no mirror of Debian ${codename}`);
  return mirror;
}

function makeNode(image: string, debian: string): void {
  const context = join(CACHE, 'node');
  rmSync(context, { recursive: true, force: true });
  cpSync(join(IMAGES, 'node'), context, { recursive: true });
  cpSync(join(ROOT, 'node_modules/node/bin/node'), join(context, 'node'));
  const archive = must('npm', ['pack', NPM, '--silent', '--pack-destination', context]).split('\n').at(-1) ?? '';
  cpSync(join(context, archive), join(context, 'npm.tgz'));
  buildImage(context, image, debian);
  rmSync(context, { recursive: true });
}

function buildImage(context: string, image: string, base: string): void {
  must('buildah', [
    'build',
    '--pull-never',
    '--layers',
    '--format',
    'docker',
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--build-arg',
    `BASE=${base}`,
    '--tag',
    image,
    context,
  ]);
}
