// A release on a machine that has nothing else of ours: the compose bundle with the images of the release, and the
// archive for a machine without containers. A person signs up, chats and runs something.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeServices, readUnits } from '../../scripts/read-deploy-files.ts';
import { type Body, signUp } from '../support/http-client.ts';
import { type DemoProviders, startDemoProviders } from '../support/models/demo-providers.ts';
import { leaveOut } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { RELEASE, releasedImage, VERSION, VERSION_LABEL } from './build-images.ts';
import { type ComposeSet, openComposeSet } from './compose-set.ts';
import { fillIn, forwardModels, URL } from './deployment-ground.ts';
import { must, podman, run } from './engine.ts';

const SERVICE = releasedImage(`agent-platform-service:${VERSION}`);
const SANDBOX = releasedImage(`agent-platform-sandbox:${VERSION}`);
const PLATFORM = `${process.platform}-${process.arch}`;

describe('a release', leaveOut(process.env['SERVICE_TEST_DEPLOY_MISSING']), () => {
  let directory: string;
  const unpack = (file: string): void => void must('tar', ['-xzf', join(RELEASE, file), '-C', directory]);

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'service-released-'));
    unpack(`agent-platform-compose-${VERSION}.tar.gz`);
    unpack(`agent-platform-server-${VERSION}-${PLATFORM}.tar.gz`);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('has what its checksums say', () => {
    expect(must('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: RELEASE })).toBe('');
  });

  it('lists in the SBOM of each image the Debian packages that are in it', () => {
    for (const [image, name] of [
      [SERVICE, 'service'],
      [SANDBOX, 'sandbox'],
    ] as const) {
      const { components } = JSON.parse(
        readFileSync(join(RELEASE, `agent-platform-${name}-${VERSION}-${PLATFORM}.sbom.cdx.json`), 'utf8'),
      ) as { components: { name: string; version: string; purl: string }[] };
      const listed = components
        .filter(({ purl }) => purl.startsWith('pkg:deb/'))
        .map((one) => `${one.name} ${one.version}`);
      const installed = podman('run', '--rm', image, 'dpkg-query', '--show', '--showformat=${Package} ${Version}\n');
      expect(listed.toSorted()).toEqual(installed.split('\n').toSorted());
      expect(listed.some((one) => one.startsWith('bubblewrap '))).toBe(name === 'sandbox');
    }
  });

  it('has images that run as nobody in particular, say what they are, and carry every licence', () => {
    const inspect = (image: string): Body => (JSON.parse(podman('image', 'inspect', image)) as Body[])[0]?.['Config'];
    expect(inspect(SERVICE)).toMatchObject({ User: '10001:10001', Labels: { [VERSION_LABEL]: VERSION } });
    expect(inspect(SANDBOX)).toMatchObject({ User: '0:0', Labels: { [VERSION_LABEL]: VERSION } });
    const inside = podman(
      'run',
      '--rm',
      SERVICE,
      'sh',
      '-c',
      'command -v apt-get npm; ls LICENSE dist/THIRD-PARTY-LICENSES /usr/share/doc/libc6/copyright; stat -c "%u %a" /var/lib/service',
    );
    expect(inside.split('\n')).toEqual([
      '/usr/share/doc/libc6/copyright',
      'LICENSE',
      'dist/THIRD-PARTY-LICENSES',
      '10001 700',
    ]);
  });

  it('has the program of every unit, and a servicectl that needs no other Node', () => {
    const top = join(directory, `agent-platform-${VERSION}`);
    for (const { file, settings } of readUnits().filter((unit) => unit.file.endsWith('.service')))
      for (const path of (settings.get('ExecStart')?.[0] ?? '').split(' '))
        expect(run('ls', [join(top, path.replace('/opt/service/', ''))]).status, `${file}: ${path}`).toBe(0);
    const servicectl = (...args: string[]): string =>
      must('env', [
        '--ignore-environment',
        'PATH=/usr/bin:/bin',
        `HOME=${directory}`,
        join(top, 'bin/servicectl'),
        ...args,
      ]);
    expect(servicectl('--version')).toContain(VERSION);
    servicectl('bundle', 'init', join(directory, 'made.env'));
    expect(readFileSync(join(directory, 'made.env'), 'utf8')).toMatch(/^AUTH_SECRET=./m);
  });

  describe('its compose bundle', () => {
    let set: ComposeSet;
    let models: DemoProviders;
    let forwarder: Server;
    const deploy = (): string => join(directory, `agent-platform-compose-${VERSION}`, 'deploy');

    beforeAll(async () => {
      models = await startDemoProviders();
      forwarder = await forwardModels(models.url);
      set = openComposeSet(fillIn(deploy()), ['nango'], deploy());
      await set.up(releasedImage);
    });
    afterAll(async () => {
      set?.down();
      forwarder?.close();
      await models?.stop();
    });

    it('makes the keys with the image alone', () => {
      const made = podman(
        'run',
        '--rm',
        '--volume',
        `${directory}:/work`,
        '--workdir',
        '/work',
        '--user',
        '0:0',
        SERVICE,
        'node',
        '/app/dist/servicectl.js',
        'bundle',
        'init',
        'production.env',
      );
      expect(made).toBe('');
      expect(readFileSync(join(directory, 'production.env'), 'utf8')).toMatch(/^BYOK_ENCRYPTION_KEY_B64=.{40}/m);
    });

    it('runs on read-only images, every part but the sandbox as an ordinary user', () => {
      for (const name of set.names.filter((one) => one !== 'postgres')) {
        const { stdout } = set.exec(name, [
          'sh',
          '-c',
          'id -u; touch /app/x /usr/x /etc/x 2>/dev/null || echo refused',
        ]);
        expect([name, stdout.trim().split('\n')]).toEqual([name, [name === 'sandbox' ? '0' : '10001', 'refused']]);
      }
      expect(Object.keys(composeServices(deploy()))).toEqual(Object.keys(composeServices()));
    });

    it('answers a person, and executes a run in a sandbox', async () => {
      const owner = await signUp(URL, 'Operator');
      const { body } = await owner.post('/api/organizations', { name: 'Acme' });
      const token = await owner.token(body.organization.id, ['chat', 'jobs:read', 'jobs:write']);
      const ask = async (path: string, sent?: object): Promise<Body> => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const answer = await fetch(`${URL}${path}`, {
          headers,
          ...(sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }),
        });
        return (await answer.json()) as Body;
      };
      const chat = await ask('/v1/chat/completions', {
        model: 'openai/gpt-5-mini',
        messages: [{ role: 'user', content: 'Hello' }],
      });
      expect(chat.choices?.[0].message.content).toMatch(/^Demo answer/);
      await expect
        .poll(() => ask('/runtime/sandbox'), { timeout: 60_000, interval: 500 })
        .toMatchObject({ ok: true, driver: 'bubblewrap' });
      const { job } = await ask('/runtime/agents/factory/jobs', { objective: 'Look around' });
      const ended = await poll(async () => {
        const found = (await ask(`/runtime/jobs/${job.id}`)).job;
        return !['queued', 'running'].includes(found.status) && found;
      });
      expect(ended.status).toBe('completed');
    });
  });
});
