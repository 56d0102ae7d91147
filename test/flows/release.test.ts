// A release as an operator gets it, but for the images and the server, which take minutes: npm run test:deploy has those.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildId } from '../../scripts/build-id.ts';
import { DEPLOY, readManifests } from '../../scripts/read-deploy-files.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { kubernetesObject } from '../support/release/kubernetes-objects.ts';
import { type KubernetesObject, renderChart } from '../support/release/render-chart.ts';
import { readGuides, runBlock } from '../support/stack/guides.ts';

const ROOT = join(DEPLOY, '..');
const CHEAP = 'package,bundle,chart';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const isClone = spawnSync('git', ['-C', ROOT, 'rev-parse', 'HEAD']).status === 0;

describe('a release', isClone ? needs('git') : leaveOut('needs a git clone'), () => {
  let directory: string;
  const release = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/release/main.ts'), '--allow-changes', ...args], {
      encoding: 'utf8',
      cwd: directory,
    });
  const run = (program: string, args: readonly string[], environment = process.env): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: directory, env: environment });
    expect([program, status, status === 0 ? '' : stderr]).toEqual([program, 0, '']);
    return stdout;
  };
  const at = (...path: string[]): string => join(directory, ...path);
  const textOf = (...path: string[]): string => readFileSync(at(...path), 'utf8');

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'service-release-'));
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'releases', '-f', 'key']);
    const { status, stderr } = release('--only', CHEAP, '--sign', 'key', '--output', 'first');
    if (status !== 0) throw new Error(stderr);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('is the same bytes each time, down to its checksums and provenance, and of the build that its programs name', async () => {
    expect(release('--only', CHEAP, '--output', 'second')).toMatchObject({ status: 0 });
    expect(textOf('second', 'SHA256SUMS')).toBe(textOf('first', 'SHA256SUMS'));
    expect(readdirSync(at('second')).toSorted()).toEqual([
      'SHA256SUMS',
      `agent-platform-${version}.provenance.json`,
      `agent-platform-${version}.tgz`,
      `agent-platform-compose-${version}.tar.gz`,
      `agent-platform-kubernetes-${version}.tar.gz`,
      `agent-platform-servicectl-${version}.tgz`,
    ]);
    const { subject, predicate } = JSON.parse(textOf('second', `agent-platform-${version}.provenance.json`)) as {
      subject: { name: string; digest: { sha256: string } }[];
      predicate: { buildDefinition: { internalParameters: { build: string } } };
    };
    expect(predicate.buildDefinition.internalParameters.build).toBe(await buildId(ROOT));
    for (const { name, digest } of subject)
      expect(textOf('second', 'SHA256SUMS')).toContain(`${digest.sha256}  ${name}`);
  });

  it('is verified as the guide says, and not after a byte has changed', async () => {
    const [verify, ...others] = readGuides('release');
    if (verify === undefined || others.length > 0)
      throw new Error('the guides have one block about verifying a release');
    const [type = '', key = ''] = textOf('key.pub').split(' ');
    writeFileSync(at('first', 'allowed_signers'), `releases namespaces="agent-platform-release" ${type} ${key}\n`);
    const follow = () => runBlock(verify, { cwd: at('first'), environment: { PATH: '/usr/bin:/bin' } });
    expect(await follow()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Good "agent-platform-release"/) });
    const chart = at('first', `agent-platform-${version}.tgz`);
    const bytes = readFileSync(chart);
    writeFileSync(chart, Buffer.concat([bytes, Buffer.from([0])]));
    expect((await follow()).code).not.toBe(0);
    writeFileSync(chart, bytes);
    writeFileSync(at('first', 'SHA256SUMS'), `${textOf('first', 'SHA256SUMS')}\n`);
    expect((await follow()).code).not.toBe(0);
  });

  it('has a servicectl that npm installs on a machine without anything else, and that starts there', () => {
    const npm = { PATH: process.env['PATH'], HOME: directory };
    run(
      'npm',
      [
        'install',
        '--offline',
        '--no-audit',
        '--no-fund',
        '--prefix',
        'machine',
        `./second/agent-platform-servicectl-${version}.tgz`,
      ],
      npm,
    );
    expect(run(at('machine/node_modules/.bin/servicectl'), ['--version'], npm)).toContain(version);
    expect(readdirSync(at('machine/node_modules/agent-platform-servicectl'))).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES']),
    );
  });

  it('has a compose bundle in which every file is there that compose.yaml mounts, and no image is built', () => {
    run('tar', ['-xzf', `second/agent-platform-compose-${version}.tar.gz`]);
    const deploy = `agent-platform-compose-${version}/deploy`;
    type Service = { image: string; build?: object; volumes?: string[] };
    const ours = parse(textOf(deploy, 'compose.yaml'), { merge: true }) as { services: Record<string, Service> };
    const theirs = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }) as typeof ours;
    for (const service of Object.values(theirs.services)) delete service.build;
    expect(ours.services).toEqual(theirs.services);
    const mounted = Object.values(ours.services).flatMap(({ volumes = [] }) =>
      volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0] ?? ''),
    );
    expect(mounted.filter((path) => !existsSync(at(deploy, path)))).toEqual([]);
    expect(mounted).not.toEqual([]);
    expect(textOf(deploy, 'env.example')).toBe(readFileSync(join(DEPLOY, 'env.example'), 'utf8'));
  });

  it('has the job for backups beside the manifests', () => {
    run('tar', ['-xzf', `second/agent-platform-kubernetes-${version}.tar.gz`]);
    const job = ['backup', 'cronjob.yaml'] as const;
    expect(textOf(`agent-platform-kubernetes-${version}`, 'deploy', ...job)).toBe(
      readFileSync(join(DEPLOY, ...job), 'utf8'),
    );
  });

  it('has a chart that makes the objects of kustomize, and what is set in its place', () => {
    run('tar', ['-xzf', `second/agent-platform-${version}.tgz`]);
    const templates = Object.fromEntries(
      readdirSync(at('agent-platform/templates')).map((file) => [file, textOf('agent-platform/templates', file)]),
    );
    const chart = { templates, values: textOf('agent-platform/values.yaml') };
    const named = (objects: readonly KubernetesObject[]): Record<string, unknown> =>
      Object.fromEntries(objects.map((one) => [`${one.kind} ${one.metadata.namespace} ${one.metadata.name}`, one]));
    const wanted = readManifests()
      .filter(({ kind }) => !['Kustomization', 'Namespace'].includes(kind))
      .map(({ file: _where, ...object }) => object);
    expect(named(renderChart(chart))).toEqual(named(wanted));

    const set = {
      publicUrl: 'https://chat.acme.example',
      'images.service': 'registry.acme.example/agents@sha256:abc',
      'replicas.web': 5,
      'storage.className': 'shared',
      imagePullSecrets: [{ name: 'pull' }],
      organizationsPerPerson: 3,
      sandboxNamespace: 'runs',
    };
    const objects = renderChart(chart, set, 'acme');
    for (const one of [...objects, ...wanted])
      expect(kubernetesObject.safeParse(one).error?.issues, `${one.kind} ${one.metadata.name}`).toBeUndefined();
    const rendered = JSON.stringify(objects);
    expect(rendered).not.toMatch(
      /"agent-platform-service:|agents\.example\.org"?,?"SERVICE_WEB|"namespace":"agent-platform|agent-platform-sandbox[".]/,
    );
    for (const part of [
      '"SERVICE_PUBLIC_URL":"https://chat.acme.example"',
      '"image":"registry.acme.example/agents@sha256:abc"',
      '"replicas":5',
      '"storageClassName":"shared"',
      '"imagePullSecrets":[{"name":"pull"}]',
      '"SERVICE_ORGANIZATIONS_PER_PERSON":"3"',
      '"http://sandbox.runs:4008"',
      '"kubernetes.io/metadata.name":"runs"',
    ])
      expect(rendered).toContain(part);
  });

  it('is refused before anything is written when it cannot be whole', () => {
    const listed = readdirSync(directory).toSorted();
    expect(release('--only', 'package,boxes')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^there is no part boxes/),
    });
    expect(release('--only', 'package', '--sign', 'no-key', '--output', 'third')).toMatchObject({
      status: 1,
      stderr: 'release: there is no key no-key\n',
    });
    const { status, stderr } = release('--only', 'package', '--sign', 'first/SHA256SUMS', '--output', 'third');
    expect([status, stderr]).toEqual([1, expect.stringContaining('nothing is released')]);
    expect(readdirSync(directory).toSorted()).toEqual(listed);
  });
});
