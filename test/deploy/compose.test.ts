// The service in containers, as deploy/compose.yaml starts it from the images of deploy/Dockerfile: a person signs up,
// chats and runs something, and all of it is still there after a restart and after an upgrade. The integration provider
// is left out: its image cannot be made here, and the first deployment is without its key anyway.
import type { Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeServices } from '../../scripts/read-deploy-files.ts';
import { type DemoProviders, startDemoProviders } from '../support/models/demo-providers.ts';
import { type Body, type SignedIn, signUp } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { isUp, poll } from '../support/poll.ts';
import { imageName, NEXT_VERSION, VERSION, VERSION_LABEL } from './build-images.ts';
import { type ComposeSet, openComposeSet } from './compose-set.ts';
import { fillIn, forwardModels, URL } from './deployment-ground.ts';
import { podman, run } from './engine.ts';

const LEFT_OUT = ['nango'];
const NOT_OURS = ['postgres'];

describe('the compose set', leaveOut(process.env['SERVICE_TEST_DEPLOY_MISSING']), () => {
  const bundle = fillIn();
  let set: ComposeSet;
  let models: DemoProviders;
  let forwarder: Server;
  let owner: SignedIn;
  let token: string;
  let stored: string;
  let first: Body;

  const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> => {
    const answer = await fetch(`${URL}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  /** A run that is through, with what it left. */
  const runOnce = async (objective: string): Promise<Body> => {
    const { status, body } = await ask('POST', '/runtime/agents/factory/jobs', { objective });
    expect([status, body.error]).toEqual([202, undefined]);
    return poll(async () => {
      const { job } = (await ask('GET', `/runtime/jobs/${body.job.id}`)).body;
      return !['queued', 'running'].includes(job.status) && job;
    });
  };
  const answerOf = async (id: string): Promise<string> =>
    (await ask('GET', `/runtime/jobs/${id}/artifacts/answer.md`)).body;
  const ours = (): string[] => set.names.filter((name) => !NOT_OURS.includes(name));
  const inside = (name: string, script: string): string => set.exec(name, ['sh', '-c', script]).stdout.trim();

  beforeAll(async () => {
    models = await startDemoProviders();
    forwarder = await forwardModels(models.url);
    set = openComposeSet(bundle, LEFT_OUT);
    await set.up();
  });
  afterAll(async () => {
    set?.down();
    forwarder?.close();
    await models?.stop();
  });

  it('runs every part but the sandbox as an ordinary user who can gain nothing', () => {
    for (const name of ours().filter((one) => one !== 'sandbox')) {
      expect([
        name,
        inside(name, 'id -u; id -g; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status | tr -d "\\t"'),
      ]).toEqual([name, '10001\n10001\nCapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1']);
    }
    expect(inside('sandbox', 'id -u')).toBe('0');
  });

  it('lets no part write anywhere but where it must', () => {
    for (const name of ours()) {
      const writable = inside(
        name,
        'for d in / /app /app/dist /etc /usr /var /var/tmp /run /tmp /var/lib/service; do touch $d/.tried 2>/dev/null && rm $d/.tried && echo $d; done',
      ).split('\n');
      const hasData = composeServices()[name]?.volumes !== undefined;
      expect([name, writable]).toEqual([
        name,
        [...(name === 'sandbox' ? ['/run'] : []), '/tmp', ...(hasData ? ['/var/lib/service'] : [])],
      ]);
    }
  });

  it('has the build in the image with its SBOM, and nothing that builds', () => {
    expect(JSON.parse(inside('web', 'cat dist/sbom.cdx.json'))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { version: VERSION } },
    });
    expect(inside('web', 'ls node_modules src 2>/dev/null; command -v npm')).toBe('');
    const [image] = JSON.parse(podman('image', 'inspect', imageName('service', VERSION))) as Body[];
    expect([image.Config.User, image.Healthcheck?.Test]).toEqual([
      '10001:10001',
      ['CMD', 'node', 'deploy/healthcheck.mjs'],
    ]);
  });

  it('keeps apart what the networks keep apart', () => {
    const reaches = (from: string, host: string, port: number): boolean =>
      set.exec(from, ['node', 'deploy/healthcheck.mjs', `tcp://${host}:${port}`]).status === 0;
    expect([
      reaches('web', 'postgres', 5432),
      reaches('gateway', 'web', 4001),
      reaches('runtime-worker-chat', 'sandbox', 4008),
    ]).toEqual([true, true, true]);
    expect([
      reaches('sandbox', 'postgres', 5432),
      reaches('sandbox', 'broker', 4003),
      reaches('web', 'sandbox', 4008),
      reaches('broker', 'sandbox', 4008),
    ]).toEqual([false, false, false, false]);
  });

  it('signs a person up and answers through the gateway, paid by the key of the env file', async () => {
    owner = await signUp(URL, 'Operator');
    const { body } = await owner.post('/api/organizations', { name: 'Acme' });
    token = await owner.token(body.organization.id, [
      'chat',
      'connect:read',
      'connect:write',
      'jobs:read',
      'jobs:write',
    ]);
    const chat = await ask('POST', '/v1/chat/completions', {
      model: 'openai/gpt-5-mini',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect([chat.status, chat.body.choices?.[0].message.content]).toEqual([200, expect.stringMatching(/^Demo answer/)]);
    const response = await ask('POST', '/v1/responses', { model: 'openai/gpt-5-mini', input: 'Remember me' });
    expect(response.status).toBe(200);
    stored = response.body.id;
  });

  it('executes a run in the sandbox container and keeps what it made', async () => {
    await expect
      .poll(async () => (await ask('GET', '/runtime/sandbox')).body, { timeout: 60_000, interval: 500 })
      .toMatchObject({ ok: true, driver: 'bubblewrap' });
    first = await runOnce('Look around');
    expect(first.status).toBe('completed');
    expect(await answerOf(first.id)).not.toBe('');
  });

  it('is itself again after a restart of everything', async () => {
    for (const name of set.names) podman('restart', `agent-platform_${name}`);
    for (const name of ['postgres', 'runtime-api', 'broker', 'sandbox', 'web', 'gateway']) await set.untilHealthy(name);
    await expectEverything();
    expect((await runOnce('Look around again')).status).toBe('completed');
  });

  it('goes over to new images with everything that was stored', async () => {
    set.removeContainers(ours());
    await set.up((image) => image.replace(`:${VERSION}`, `:${NEXT_VERSION}`));
    for (const name of ours())
      expect([
        name,
        podman('inspect', '--format', `{{index .Config.Labels "${VERSION_LABEL}"}}`, `agent-platform_${name}`),
      ]).toEqual([name, NEXT_VERSION]);
    await expectEverything();
    expect((await runOnce('Look around once more')).status).toBe('completed');
  });

  it('writes no secret into a log, and stops cleanly when it is told to', () => {
    const secrets = Object.entries(bundle)
      .filter(([name, value]) => /SECRET|PASSWORD|TOKEN|_KEY/.test(name) && value.length >= 16)
      .map(([, value]) => value);
    for (const name of ours()) {
      run('podman', ['stop', `agent-platform_${name}`]);
      expect([name, podman('inspect', '--format', '{{.State.ExitCode}}', `agent-platform_${name}`)]).toEqual([
        name,
        '0',
      ]);
      for (const secret of secrets) expect(set.logOf(name).includes(secret), name).toBe(false);
    }
  });

  /** The person, their session and token, a stored response and the first run with its file. */
  async function expectEverything(): Promise<void> {
    // Connections to the previous gateway are closed by now, and known to be.
    await poll(() => isUp(`${URL}/runtime/healthz`));
    expect((await owner.get('/api/me')).body.organizations.map(({ name }: Body) => name)).toContain('Acme');
    expect((await ask('GET', `/v1/responses/${stored}`)).status).toBe(200);
    expect((await ask('GET', `/runtime/jobs/${first.id}`)).body.job).toMatchObject({
      id: first.id,
      status: 'completed',
    });
    expect(await answerOf(first.id)).not.toBe('');
    const chat = await ask('POST', '/v1/chat/completions', {
      model: 'openai/gpt-5-mini',
      messages: [{ role: 'user', content: 'Hello again' }],
    });
    expect([chat.status, chat.body.error]).toEqual([200, undefined]);
  }
});
