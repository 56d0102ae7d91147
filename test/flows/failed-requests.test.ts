// A person who was given a request id looks for it in the log. Of every part, as it is shipped, one line
// with that id has the stack, says where it happened, and has nothing in it that anybody wrote or keeps secret.
import { rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BATCH_KIND, PROTOCOL_VERSION } from '../../src/broker/protocol/protocol.ts';
import { openRuntimeStand, type RuntimeStand } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';
import { addSession } from '../support/people.ts';
import { BWRAP, isRoot, ROOTFUL, ROOTLESS, sandboxDirectory, sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { freePort } from '../support/free-port.ts';
import { startRuntime } from '../support/runs/runtime-process.ts';
import { leaveOut } from '../support/needs.ts';

interface Line extends Record<string, unknown> {
  readonly requestId?: string;
  readonly err?: { readonly stack?: string };
}

const SAID = 'a sentence that only its writer may read';
const SANDBOX_TOKEN = 'sandbox-token-of-the-failure-tests';
const SECRETS = [
  'connect secret of the runtime tests',
  'broker-token-of-the-runtime-tests',
  'debug-token-of-the-runtime-tests',
  SANDBOX_TOKEN,
];

let stand: RuntimeStand;
let session: string;
const parts: Record<string, Program> = {};
beforeAll(async () => {
  stand = await openRuntimeStand();
  session = await addSession(stand.db, stand.owner);
  for (const part of ['broker', 'web', 'api', 'gateway'] as const) parts[part] = await stand.start(part);
});
afterAll(() => stand.close());

/** The work, while a table that the part needs is missing. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await stand.db.query(`alter table :schema.${table} rename to ${table}_gone`);
  try {
    return await work();
  } finally {
    await stand.db.query(`alter table :schema.${table}_gone rename to ${table}`);
  }
}

function post(url: string, bearer: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The lines of a part with this id and a stack, once the log has one. */
async function withStack(lines: () => readonly Line[], id: string): Promise<readonly Line[]> {
  const found = (): readonly Line[] =>
    lines().filter(({ requestId, err }) => requestId === id && typeof err?.stack === 'string');
  await expect.poll(found).not.toEqual([]);
  return found();
}

function linesOf(part: Program | undefined): Line[] {
  return (part?.lines ?? []).filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}

function expectOne(lines: readonly Line[], expected: Record<string, unknown>): void {
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'error', msg: 'request failed', ...expected });
  const text = JSON.stringify(lines);
  for (const hidden of [SAID, session, stand.token, ...SECRETS]) expect(text).not.toContain(hidden);
}

describe('the id of an answer finds the line with the stack', () => {
  it.each([
    [
      'the API of the web app',
      'web',
      'member_workspace',
      (): Promise<Response> =>
        fetch(`${stand.webUrl}/api/organizations/${stand.organization.id}/workspaces`, {
          headers: { authorization: `Bearer ${session}` },
        }),
      { method: 'GET', route: '/api/organizations/:org/workspaces' },
    ],
    [
      'the API of the web app, while sessions cannot be read',
      'web',
      'identity_session',
      (): Promise<Response> =>
        fetch(`${stand.webUrl}/api/organizations/${stand.organization.id}/workspaces`, {
          headers: { authorization: `Bearer ${session}` },
        }),
      { method: 'GET', route: '/api/organizations/:org/workspaces' },
    ],
    [
      'chat',
      'web',
      'org_policy',
      (): Promise<Response> =>
        post(`${stand.webUrl}/api/chat`, session, {
          organization: stand.organization.id,
          model: 'openai/gpt-5-mini',
          message: { text: SAID },
        }),
      { method: 'POST', route: '/api/chat' },
    ],
    [
      '/v1, through the gateway',
      'web',
      'org_policy',
      (): Promise<Response> =>
        post(`${stand.gatewayUrl}/v1/chat/completions`, stand.token, {
          model: 'openai/gpt-5-mini',
          messages: [{ role: 'user', content: SAID }],
        }),
      { method: 'POST', route: '/v1/chat/completions' },
    ],
    [
      'the runtime',
      'api',
      'job',
      (): Promise<Response> => post(`${stand.url}/agents/factory/jobs`, stand.token, { objective: SAID }),
      { method: 'POST', route: '/agents/factory/jobs' },
    ],
    [
      'MCP',
      'api',
      'org_connection_secret',
      (): Promise<Response> =>
        post(`${stand.url}/connect/mcp`, stand.token, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      { method: 'POST', route: '/connect/mcp' },
    ],
  ])('of %s', async (_name, part, table, ask, expected) => {
    const answer = await without(table, ask);
    const id = answer.headers.get('x-request-id') ?? '';
    expect(id).not.toBe('');
    expectOne(await withStack(() => linesOf(parts[part]), id), {
      requestId: id,
      organization: stand.organization.id,
      ...expected,
    });
  });

  it('of the broker, for one request and for several in one', async () => {
    const url = `${await brokerUrl()}/`;
    const get = (corrId: string) => ({
      kind: 'promise.get',
      head: { corrId, version: PROTOCOL_VERSION },
      data: { id: SAID },
    });
    const batch = { kind: BATCH_KIND, head: { corrId: 'all', version: PROTOCOL_VERSION }, data: [get('a'), get('b')] };
    for (const body of [get('one'), batch]) {
      const answer = await without('broker_promise', () => post(url, 'broker-token-of-the-runtime-tests', body));
      const id = answer.headers.get('x-request-id') ?? '';
      expectOne(await withStack(() => linesOf(parts['broker']), id), {
        requestId: id,
        method: 'POST',
        route: '/',
        kind: 'promise.get',
      });
    }
  });

  it('of the gateway, when its upstream is gone', async () => {
    await parts['web']?.stop('SIGKILL');
    const answer = await fetch(`${stand.gatewayUrl}/api/me`, { headers: { authorization: `Bearer ${session}` } });
    const id = answer.headers.get('x-request-id') ?? '';
    expect(answer.status).toBe(502);
    expectOne(await withStack(() => linesOf(parts['gateway']), id), {
      requestId: id,
      method: 'GET',
      route: '/',
      reason: 'upstream failed',
    });
  });

  it('of the sandbox controller', leaveOut(sandboxSkipReason), async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const way = isRoot ? ROOTFUL : ROOTLESS;
    const directory = sandboxDirectory(stand.directory, way);
    const controller = startRuntime(
      {
        SERVICE_DATA_DIR: stand.directory,
        SERVICE_SANDBOX_URL: url,
        SERVICE_SANDBOX_TOKEN: SANDBOX_TOKEN,
        SERVICE_SANDBOX_BWRAP: BWRAP,
        SERVICE_SANDBOX_ALLOW_WEAK: isRoot ? '0' : '1',
      },
      'sandbox',
    );
    try {
      await controller.said('sandbox controller is listening');
      // Where it keeps its sandboxes is no longer a directory.
      await rename(directory, `${directory}-gone`);
      await writeFile(directory, '');
      const answer = await post(`${url}/v1/sandboxes`, SANDBOX_TOKEN, {});
      await rm(directory);
      await rename(`${directory}-gone`, directory);
      const id = answer.headers.get('x-request-id') ?? '';
      expect(answer.status).toBe(500);
      expectOne(await withStack(() => controller.lines, id), {
        requestId: id,
        method: 'POST',
        route: '/v1/sandboxes',
      });
    } finally {
      await controller.stop();
    }
  });

  async function brokerUrl(): Promise<string> {
    const { port } = JSON.parse((await parts['broker']?.said('broker is listening')) ?? '{}') as { port: number };
    return `http://127.0.0.1:${port}`;
  }
});
