// People and organizations that leave, on the processes as they are shipped: whatever is open ends, nothing opens again,
// and what is erased is nowhere to be found.
import { readdir, readFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { findDirectory, LOCAL_BYTES, readEntries } from '../../src/documents/attachments/zip-directory.ts';
import type { Body } from '../support/http-client.ts';
import { addOrganization, addPerson, addSession, join, type Person, type TestOrganization } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { DEBUG_TOKEN, openRuntimeStand, type RuntimeStand } from '../support/runs/runtime-stand.ts';

let stand: RuntimeStand;
beforeAll(async () => {
  stand = await openRuntimeStand();
  // What an operator deletes is erased at once here.
  await stand.start('api', { environment: { SERVICE_DELETION_DAYS: '0' } });
  for (const part of ['broker', 'driver', 'worker-chat', 'worker-control'] as const) await stand.start(part);
  await stand.start('web', { environment: { SERVICE_RUNTIME_URL: stand.url } });
});
afterAll(() => stand?.close());

interface Someone {
  readonly person: Person;
  readonly session: string;
  readonly token: string;
  readonly organization: TestOrganization;
}

/** An owner beside whom there is another one, so that they may go. */
async function newPerson(name: string): Promise<Someone> {
  const person = await addPerson(stand.db, name);
  const organization = await addOrganization(stand.db, person);
  await join(stand.db, organization.id, await addPerson(stand.db, 'other'), 'owner');
  const session = await addSession(stand.db, person);
  const scopes = ['connect:read', 'connect:write', 'chat', 'jobs:read', 'jobs:write', 'receipts:read'];
  const { body } = await web('POST', '/api/tokens', session, { organization: organization.id, name: 'laptop', scopes });
  return { person, session, organization, token: body.token };
}

async function web(
  method: string,
  path: string,
  bearer: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${stand.webUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const operator = (method: string, path: string): Promise<{ status: number; body: Body }> =>
  stand.request(method, `/service-debug${path}`, { token: DEBUG_TOKEN, ...(method === 'POST' ? { body: {} } : {}) });
const refusal = ({ status, body }: { status: number; body: Body }): [number, string] => [
  status,
  body.error?.code ?? body.error,
];

const chat = (
  { session, organization }: Someone,
  text: string,
  where: { workspace?: string } = {},
): Promise<Response> =>
  fetch(`${stand.webUrl}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organization: organization.id, model: 'openai/gpt-5-mini', message: { text }, ...where }),
  });
const v1 = ({ token }: Someone): Promise<{ status: number; body: Body }> =>
  web('POST', '/v1/chat/completions', token, {
    model: 'openai/gpt-5-mini',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'hello' }],
  });
const mcp = ({ token }: Someone): Promise<{ status: number; body: Body }> =>
  stand.request('POST', '/connect/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
const startRun = (
  { token }: Someone,
  objective: string,
  where: { workspace?: string } = {},
): Promise<{ status: number; body: Body }> =>
  stand.request('POST', '/agents/factory/jobs', { token, body: { objective, ...where } });

/** An answer that is being written, a live socket, changes of a page, a run that works. */
async function openEverything(someone: Someone): Promise<{ ended: () => Promise<unknown>; run: string }> {
  const { token, session, organization } = someone;
  const run = (await startRun(someone, 'hang here')).body.job.id as string;
  const answer = await chat(someone, 'hang now');
  const reader = (answer.body ?? expect.unreachable()).getReader();
  await reader.read();
  const changes = await fetch(`${stand.webUrl}/api/changes?organization=${organization.id}`, {
    headers: { authorization: `Bearer ${session}` },
  });
  const socket = new WebSocket(`${stand.url.replace('http', 'ws')}/factory/live?token=${token}`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await poll(async () => (await statusOf(run)).status === 'running');
  return {
    run,
    ended: () =>
      Promise.all([
        (async () => {
          while (!(await reader.read()).done);
        })().catch(() => undefined),
        changes.text().catch(() => undefined),
        closed,
        poll(async () => (await statusOf(run)).status === 'aborted'),
      ]),
  };
}

async function statusOf(run: string): Promise<{ status: string; error: string | null }> {
  const { rows } = await stand.db.query<{ status: string; error: string | null }>(
    'select status, error from :schema.job where id = $1',
    [run],
  );
  return rows[0] ?? expect.unreachable();
}

const UNAUTHENTICATED = [401, 'unauthenticated'];
const PAUSED = [403, 'organization_paused'];

describe('whatever is open ends, and nothing opens again', () => {
  it('when an operator disables an account, until it is enabled', async () => {
    const someone = await newPerson('disabled');
    const { ended, run } = await openEverything(someone);
    expect((await operator('POST', `/people/${someone.person.id}/disable`)).status).toBe(200);
    await ended();
    expect((await statusOf(run)).error).toContain('account_shut');
    expect(refusal(await web('GET', '/api/me', someone.session))).toEqual(UNAUTHENTICATED);
    expect([(await v1(someone)).status, (await mcp(someone)).status]).toEqual([401, 401]);
    expect((await operator('POST', `/people/${someone.person.id}/enable`)).status).toBe(200);
    const session = await addSession(stand.db, someone.person);
    expect((await web('GET', '/api/me', session)).body.organizations).toHaveLength(1);
    expect((await operator('GET', '/acts')).body.acts.slice(0, 2)).toMatchObject([
      { act: 'enable', kind: 'person', subject: someone.person.id, operator: 'operator' },
      { act: 'disable', kind: 'person', subject: someone.person.id },
    ]);
  });

  it('when an operator pauses an organization, which says so everywhere, until it goes on', async () => {
    const someone = await newPerson('paused');
    // What decides a turn is in the memory of the web server by now.
    expect((await v1(someone)).status).toBe(200);
    const { ended, run } = await openEverything(someone);
    expect((await operator('POST', `/organizations/${someone.organization.id}/disable`)).status).toBe(200);
    await ended();
    expect((await statusOf(run)).error).toContain('organization_paused');
    expect(refusal(await v1(someone))).toEqual(PAUSED);
    expect(refusal(await mcp(someone))).toEqual(PAUSED);
    expect(refusal(await startRun(someone, 'hello'))).toEqual(PAUSED);
    expect(refusal(await stand.request('GET', '/connect/connections', { token: someone.token }))).toEqual(PAUSED);
    const answer = await chat(someone, 'hello');
    expect([answer.status, ((await answer.json()) as Body).error]).toEqual(PAUSED);
    expect(refusal(await web('GET', `/api/organizations/${someone.organization.id}/members`, someone.session))).toEqual(
      PAUSED,
    );
    expect((await web('GET', '/api/me', someone.session)).body).toMatchObject({
      organizations: [],
      shutOrganizations: [{ id: someone.organization.id, state: 'paused' }],
    });
    expect((await operator('POST', `/organizations/${someone.organization.id}/enable`)).status).toBe(200);
    expect((await v1(someone)).status).toBe(200);
    expect((await mcp(someone)).status).toBe(200);
  });

  it('when an owner deletes the organization, until they bring it back', async () => {
    const someone = await newPerson('owner');
    const { id } = someone.organization;
    const { name } = (await web('GET', '/api/me', someone.session)).body.organizations[0];
    const remove = (typed: string): Promise<{ status: number; body: Body }> =>
      web('DELETE', `/api/organizations/${id}`, someone.session, { name: typed });
    expect(refusal(await remove('Another'))).toEqual([400, 'invalid_request']);
    const { ended, run } = await openEverything(someone);
    expect(await remove(name)).toMatchObject({ status: 200, body: { organization: { id } } });
    await ended();
    expect((await statusOf(run)).error).toContain('organization_deleted');
    expect((await v1(someone)).status).toBe(403);
    expect((await startRun(someone, 'hello')).status).toBe(403);
    expect(refusal(await web('GET', `/api/organizations/${id}/members`, someone.session))).toEqual([404, 'not_found']);
    expect((await web('GET', '/api/me', someone.session)).body.shutOrganizations).toMatchObject([
      { id, state: 'deleted', name },
    ]);
    const stranger = await newPerson('stranger');
    expect(refusal(await web('POST', `/api/organizations/${id}/restore`, stranger.session, {}))).toEqual([
      404,
      'not_found',
    ]);
    expect((await web('POST', `/api/organizations/${id}/restore`, someone.session, {})).status).toBe(200);
    expect((await v1(someone)).status).toBe(200);
  });
});

describe('a person who leaves', () => {
  const MARK = 'xylophone-of-the-leaver';

  it('takes everything along, and is then found nowhere', async () => {
    const someone = await newPerson('Leaver');
    const { person, session, organization, token } = someone;
    await (await chat(someone, `remember ${MARK}`)).text();
    const run = (await startRun(someone, `artifact ${MARK}`)).body.job.id as string;
    await poll(async () => (await statusOf(run)).status === 'completed');
    await web('PUT', `/api/organizations/${organization.id}/instructions`, session, { text: MARK, enabled: true });

    const files = await download(session);
    expect(files.get('profile.json')).toContain(person.email);
    expect(files.get('runs.json')).toContain(MARK);
    expect(files.get(`run-files/${run}/report.txt`)).toBe(MARK);
    expect([...files].find(([name]) => name.startsWith('chats/'))?.[1]).toContain(MARK);
    expect([...files.values()].join('')).not.toContain(token);

    // The last owner of another organization stays until it has somebody else.
    const own = await addOrganization(stand.db, person);
    expect(await web('DELETE', '/api/me', session)).toMatchObject({
      status: 409,
      body: { error: 'last_owner', details: { organizations: [{ id: own.id, slug: own.slug }] } },
    });
    await join(stand.db, own.id, await addPerson(stand.db, 'heir'), 'owner');

    expect(await whereIs(MARK)).not.toEqual([]);
    const { ended } = await openEverything(someone);
    expect((await web('DELETE', '/api/me', session)).status).toBe(200);
    await ended();
    expect(refusal(await web('GET', '/api/me', session))).toEqual(UNAUTHENTICATED);
    expect((await mcp(someone)).status).toBe(401);
    expect((await v1(someone)).status).toBe(401);

    await erased(person.id);
    for (const text of [MARK, person.name, person.email]) expect(await whereIs(text), text).toEqual([]);
    await verifyChains();
  });
});

describe('what was in it', () => {
  it('is found nowhere once a workspace was deleted, and an organization on its day', async () => {
    const someone = await newPerson('stays');
    const { session, organization } = someone;
    const made = await web('POST', `/api/organizations/${organization.id}/workspaces`, session, { name: 'Oboe room' });
    const workspace = made.body.workspace.id as string;
    const write = async (mark: string, where: { workspace?: string }): Promise<void> => {
      await (await chat(someone, `remember ${mark}`, where)).text();
      const run = (await startRun(someone, `artifact ${mark}`, where)).body.job.id as string;
      await poll(async () => (await statusOf(run)).status === 'completed');
      expect(await whereIs(mark)).toContain('report.txt');
    };
    await write('oboe-of-the-workspace', { workspace });
    await write('tuba-of-the-organization', {});

    expect((await web('DELETE', `/api/workspaces/${workspace}`, session)).status).toBe(200);
    await erased(workspace);
    expect(await whereIs('oboe-of-the-workspace')).toEqual([]);
    // The log of what was spent names workspaces that are gone.
    expect(await whereIs('Oboe room')).toEqual(['removed_name']);
    expect(await whereIs('tuba-of-the-organization')).not.toEqual([]);

    const { name } = (await web('GET', '/api/me', session)).body.organizations[0];
    expect((await operator('DELETE', `/organizations/${organization.id}`)).status).toBe(200);
    await erased(organization.id);
    for (const text of ['tuba-of-the-organization', 'Oboe room', name]) expect(await whereIs(text), text).toEqual([]);
    expect((await web('GET', '/api/me', session)).body).toEqual({ user: expect.anything(), organizations: [] });
    await verifyChains();
  });
});

const erased = (id: string): Promise<unknown> =>
  poll(async () => {
    const { rows } = await stand.db.query<{ finished: boolean }>(
      'select finished_at is not null as finished from :schema.erasure where subject_id = $1',
      [id],
    );
    return rows[0]?.finished;
  });

/** All of them, also those of runs whose rows are gone. */
async function verifyChains(): Promise<void> {
  const { body } = await stand.request('POST', '/service-debug/jobs', {
    token: DEBUG_TOKEN,
    body: { task: 'verify-chains' },
  });
  await poll(async () => (await statusOf(body.job.id)).status === 'completed');
  const { rows } = await stand.db.query('select result from :schema.job where id = $1', [body.job.id]);
  expect(rows).toMatchObject([{ result: { faults: 0 } }]);
}

/** Every table with a row, and every file of the data directory, that has the text in it. */
async function whereIs(text: string): Promise<string[]> {
  const { rows: tables } = await stand.db.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p')`,
    [stand.db.schema],
  );
  const found: string[] = [];
  const hex = Buffer.from(text).toString('hex');
  for (const { name } of tables) {
    const { rowCount } = await stand.db.query(
      `select 1 from :schema.${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0 limit 1`,
      [text, hex],
    );
    if (rowCount > 0) found.push(name);
  }
  for (const entry of await readdir(stand.directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && (await readFile(joinPath(entry.parentPath, entry.name))).includes(text))
      found.push(entry.name);
  return found;
}

async function download(session: string): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(`${stand.webUrl}/api/me/export`, { headers: { authorization: `Bearer ${session}` } });
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const directory = findDirectory(bytes);
  if (!('count' in directory)) return expect.unreachable();
  return new Map(
    [...readEntries(bytes.subarray(directory.at), directory.count)].map(([name, { headerAt, packedBytes }]) => {
      const at = headerAt + LOCAL_BYTES + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
      return [name, inflateRawSync(bytes.subarray(at, at + packedBytes)).toString()];
    }),
  );
}
