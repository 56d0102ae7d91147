// An organization with something of everything in it, on the real web server and the real api role, and everybody who
// might call them: people inside and outside of it, and tokens of every kind. What is in its named workspace, Lab,
// carries MARK, so that an answer which shows it to an outsider can be recognized.
import { createHmac, createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { hashPassword } from 'better-auth/crypto';
import { SignJWT } from 'jose';
import { readConfig } from '../../../src/base/config.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { loadModels } from '../../../src/catalog/load-models.ts';
import { createChat } from '../../../src/threads/create-chat.ts';
import { createTurns } from '../../../src/turns/create-turn-deps.ts';
import { listAllowedModels } from '../../../src/turns/list-allowed-models.ts';
import { createImport, putPart } from '../../../src/threads/imports/imports.ts';
import { createRecipe } from '../../../src/runs/recipes/change-recipe.ts';
import { findMembership } from '../../../src/tenancy/members/find-membership.ts';
import { createPrompt } from '../../../src/threads/prompts/prompts.ts';
import { createStoredResponses } from '../../../src/stored-responses/create-stored-responses.ts';
import { SCOPES, type Scope } from '../../../src/contract/tokens.ts';
import { serveApi } from '../../../src/entry/serve-api.ts';
import { serve } from '../../../src/http/shell/serve.ts';
import { createAdmission } from '../../../src/http/shell/admission/admission.ts';
import { createOpenStreams } from '../../../src/http/shell/streams/open-streams.ts';
import { v1Route } from '../../../src/http/v1/v1-route.ts';
import { composeWebApp } from '../../../src/http/compose-web-app.ts';
import { changeRoutes } from '../../../src/http/web/change-routes.ts';
import { personalExportRoute } from '../../../src/http/web/personal-export-route.ts';
import { chatRoutes } from '../../../src/http/web/chat-routes.ts';
import { appListener } from '../../../src/http/shell/app-listener.ts';
import { openMailer } from '../../../src/mail/create-mailer.ts';
import { readModelSettings } from '../../../src/keys/model-settings.ts';
import { openListener } from '../../../src/store/listen.ts';
import { measureDatabase } from '../../../src/store/measure-database.ts';
import { readMigrations } from '../../../src/store/migrate.ts';
import { createWorkspace } from '../../../src/tenancy/workspaces/create-workspace.ts';
import { createTokenVerifier } from '../../../src/tenancy/tokens/verify-token.ts';
import { MIGRATIONS, openTestDatabase, quiet } from '../database.ts';
import { SECRET_KEY, send, startFakeNango } from '../tools/fake-nango.ts';
import { freePort } from '../free-port.ts';
import { startModelUpstream } from '../models/model-upstream.ts';
import { addOrganization, addPerson, addSession, join, joinWorkspace, type Person } from '../people.ts';
import { AUTH_SECRET } from './web-app.ts';

export const MARK = 'zebraquartz';
const DEBUG_TOKEN = 'the-debug-token-of-the-tests';
export const MODEL = 'openai/gpt-5-mini';
const CONNECT_SECRET = 'the-connect-secret-of-the-tests';
const WEBHOOK_SECRET = 'the-webhook-secret-of-the-tests';
const KEY32 = Buffer.alloc(32, 7).toString('base64');

/** Where each stands towards the organization and its workspace Lab. */
export const PEOPLE = {
  stranger: 'owns another organization',
  removed: 'was a member of the organization and of Lab',
  invitee: 'is in no organization and has an open invitation to a third one',
  outsider: 'a member of the organization who is not in Lab',
  member: 'a member of the organization and of Lab',
  lead: 'a member of the organization, admin of Lab',
  admin: 'an admin of the organization who is not in Lab',
  owner: 'owns the organization and Lab',
} as const;
export type PersonName = keyof typeof PEOPLE;

/** Tokens of the owner for each single scope, of others for every scope, and those that must open nothing. */
export type CallerName =
  | 'nobody'
  | PersonName
  | `owner ${Scope}`
  | `${'stranger' | 'removed' | 'outsider' | 'member' | 'lead' | 'admin'} token`
  | 'owner token for Default'
  | 'owner token, expired'
  | 'owner token, revoked'
  | 'scim token'
  | 'operator';

/** A name that no other prompt has. */
export const promptName = (): string => newId('p').replace('_', '-');

export interface World {
  readonly callers: Readonly<Record<CallerName, string | undefined>>;
  readonly people: Readonly<Record<PersonName, Person>>;
  readonly org: string;
  readonly lab: string;
  readonly invitation: string;
  readonly guardrail: string;
  readonly thread: string;
  /** The owner's question in it. */
  readonly message: string;
  readonly attachment: string;
  readonly image: string;
  readonly job: string;
  readonly connection: string;
  readonly client: string;
  /** A stored response of the owner, in Lab. */
  readonly response: string;
  /** Things that a call uses up; each is new. */
  readonly fresh: {
    account(): Promise<Person>;
    /** An organization of a new account. */
    organization(): Promise<string>;
    /** An organization of a new account, with a session of its owner. */
    ownOrganization(): Promise<{ id: string; name: string; session: string }>;
    /** A session of a new account. */
    accountSession(): Promise<string>;
    member(): Promise<string>;
    labMember(): Promise<string>;
    lab(): Promise<string>;
    invitation(): Promise<string>;
    token(): Promise<string>;
    scimToken(): Promise<string>;
    /** Takes those of `scimToken` away. */
    noScimTokens(): Promise<void>;
    thread(): Promise<string>;
    message(): Promise<{ thread: string; message: string }>;
    /** An answer, and one that was rated. */
    answer(): Promise<{ thread: string; message: string }>;
    rated(): Promise<{ thread: string; message: string }>;
    /** A thread with a link. */
    sharedThread(): Promise<{ thread: string; share: string; message: string }>;
    prompt(): Promise<string>;
    /** A recipe of Lab. */
    recipe(): Promise<string>;
    /** An environment of Lab, by name. */
    environment(): Promise<string>;
    cap(): Promise<string>;
    /** A schedule of the owner, in Lab. */
    /** A run of the owner that has not begun. */
    run(): Promise<string>;
    schedule(): Promise<string>;
    route(): Promise<string>;
    /** The only subscription, of Lab, and a message of it. */
    subscription(): Promise<{ id: string; delivery: string }>;
    connection(): Promise<string>;
    grant(): Promise<string>;
    consent(): Promise<string>;
    session(name: PersonName): Promise<string>;
    sessionId(name: PersonName): Promise<string>;
    /** A password, a passkey and one-time codes; the id of the passkey. */
    factors(name: PersonName): Promise<string>;
    noPassword(name: PersonName): Promise<void>;
    noCodes(name: PersonName): Promise<void>;
    response(): Promise<string>;
    /** A project in Lab, and a file in it. */
    project(): Promise<{ project: string; file: string }>;
    /** A private project in Lab of someone who has left the workspace. */
    leftProject(): Promise<string>;
    /** A trigger of the owner in Lab that is off, and what was delivered to it. */
    trigger(): Promise<{ id: string; delivery: string }>;
    noImports(): Promise<void>;
    /** An import of the owner that waits for its file of four bytes, or has it; nobody has another. */
    import(received?: true): Promise<string>;
    /** A Models account of a new workspace. */
    labAccount(): Promise<{ ws: string; account: string }>;
    /** The only Models account of the organization. */
    organizationAccount(): Promise<string>;
  };
  noKeys(): Promise<void>;
  /** As the gateway would send it on. */
  call(
    method: string,
    path: string,
    caller: string | undefined,
    sent?: { body?: unknown; form?: FormData | URLSearchParams; headers?: Record<string, string> },
  ): Promise<{ status: number; text: string; headers: Headers }>;
  /** Whether a WebSocket opens. */
  opens(path: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A Models account that serves nothing that is asked for. */
export const ACCOUNT = { baseUrl: 'http://127.0.0.1:9/v1', key: 'a-key', models: ['none/*'] };

export async function openRouteWorld(): Promise<World> {
  const db = measureDatabase(await openTestDatabase({ poolMax: 8 }), 8);
  const [nango, upstream, directory, webPort, runtimePort] = [
    await startFakeNango(),
    await startModelUpstream(),
    await mkdtemp(joinPath(tmpdir(), 'service-routes-')),
    await freePort(),
    await freePort(),
  ];
  nango.answer = ({ path }, response) => path.startsWith('/proxy') && (send(response, 200, { found: MARK }), true);
  const publicUrl = `http://localhost:${webPort}`;
  const config = readConfig({
    SERVICE_PUBLIC_URL: publicUrl,
    SERVICE_DATA_DIR: directory,
    SERVICE_RUNTIME_PORT: String(runtimePort),
    SERVICE_BROKER_URL: `http://127.0.0.1:${await freePort()}`,
    SERVICE_RECEIPT_CHECKPOINT_SECONDS: '86400',
    AUTH_SECRET,
    SERVICE_CONNECT_JWT_SECRET: CONNECT_SECRET,
    SERVICE_DEBUG_TOKEN: DEBUG_TOKEN,
    SERVICE_MAIL_FROM: 'service@example.test',
    SERVICE_CHAT_REQUESTS_PER_MINUTE: '10000',
    SERVICE_SCHEDULES_PER_PERSON: '10000',
    SERVICE_ALLOW_PRIVATE_URLS: '1',
    OPENAI_API_URL: upstream.url,
    ANTHROPIC_API_URL: upstream.url,
    OPENAI_API_KEY: 'sk-platform-openai',
    ANTHROPIC_API_KEY: 'sk-ant-platform',
    BYOK_ENCRYPTION_KEY_B64: KEY32,
    SERVICE_INTEGRATIONS_URL: nango.url,
    SERVICE_INTEGRATIONS_SECRET_KEY: SECRET_KEY,
    SERVICE_INTEGRATIONS_WEBHOOK_SECRET: WEBHOOK_SECRET,
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: KEY32,
  });
  const key = createSecretKey(Buffer.from(CONNECT_SECRET));
  const settings = { publicUrl, authSecret: AUTH_SECRET, allowPrivateUrls: true };
  const listener = openListener(db, quiet);
  const responses = createStoredResponses({
    db,
    log: quiet,
    wrappingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
    days: config.SERVICE_RESPONSES_RETENTION_DAYS,
  });
  const turns = createTurns({ config, catalog: loadModels(undefined), db, log: quiet, processId: newId('proc') });
  const chat = createChat({ db, log: quiet, turns: turns.deps, listener, graceMs: 0 });
  const streams = createOpenStreams({ db, log: quiet });
  const admission = createAdmission();
  const changes = changeRoutes({ db, log: quiet, settings, listener, streams });
  const personalExport = personalExportRoute({
    db,
    log: quiet,
    settings,
    streams,
    async *artifacts() {},
    async *responses() {},
  });
  const v1 = v1Route({
    ...turns.deps,
    verifier: createTokenVerifier(key, systemClock),
    allowedModels: (caller, name) => listAllowedModels(turns.deps, caller, name),
    responses: responses.store,
    streams,
    admission,
    log: quiet,
  });
  const app = composeWebApp({
    db,
    log: quiet,
    settings,
    key,
    browserApp: { respond: async () => undefined },
    models: readModelSettings(config),
    mailer: openMailer(config, 'system:web'),
    listener,
    admission,
  });
  const web = await serve(
    appListener(
      app,
      [v1, chatRoutes({ db, log: quiet, settings, chat, listener, streams, admission }), changes, personalExport],
      {
        log: quiet,
      },
    ),
    { port: webPort, host: 'localhost' },
  );
  const stopApi = await serveApi({
    config,
    log: quiet,
    stopping: new AbortController().signal,
    role: 'api',
    processId: 'proc_test',
    version: '0',
    build: 'abc',
    db,
    migrations: await readMigrations(MIGRATIONS),
  });

  const atServer = (path: string): string => {
    if (/^\/(?:connect|hooks|service-debug|metrics)(?:[/?]|$)/.test(path))
      return `http://127.0.0.1:${runtimePort}${path}`;
    return path.startsWith('/runtime')
      ? `http://127.0.0.1:${runtimePort}${path.slice('/runtime'.length)}`
      : `${publicUrl}${path}`;
  };
  const call: World['call'] = async (method, path, caller, { body, form, headers = {} } = {}) => {
    const leaving = new AbortController();
    const response = await fetch(atServer(path), {
      method,
      redirect: 'manual',
      signal: leaving.signal,
      headers: {
        ...(caller === undefined ? {} : { authorization: `Bearer ${caller}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const endless = response.ok && path.startsWith('/api/changes');
    const text = endless ? '' : await response.text();
    leaving.abort();
    return { status: response.status, text, headers: response.headers };
  };
  const ask = async <T>(
    method: string,
    path: string,
    caller: string | undefined,
    sent?: Parameters<World['call']>[3],
  ): Promise<T> => {
    const { status, text } = await call(method, path, caller, sent);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  };

  const people = Object.fromEntries(
    await Promise.all(Object.keys(PEOPLE).map(async (name) => [name, await addPerson(db, name)])),
  ) as Record<PersonName, Person>;
  const sessions = Object.fromEntries(
    await Promise.all(Object.entries(people).map(async ([name, person]) => [name, await addSession(db, person)])),
  ) as Record<PersonName, string>;
  const { id: org, defaultId } = await addOrganization(db, people.owner);
  const { id: elsewhere } = await addOrganization(db, people.stranger);
  const third = await addOrganization(db, await addPerson(db));
  for (const name of ['removed', 'outsider', 'member', 'lead'] as const) await join(db, org, people[name], 'member');
  await join(db, org, people.admin, 'admin');
  const { id: lab } = await createWorkspace(
    db,
    { userId: people.owner.id, organizationId: org },
    { name: `Lab ${MARK}` },
  );
  for (const name of ['removed', 'member'] as const) await joinWorkspace(db, org, lab, people[name], 'member');
  await joinWorkspace(db, org, lab, people.lead, 'admin');

  const mint = async (
    name: PersonName,
    organization: string,
    scopes: readonly Scope[],
    more: object = {},
  ): Promise<{ id: string; token: string }> =>
    ask('POST', '/api/tokens', sessions[name], { body: { organization, scopes, name: 'of the walk', ...more } });
  const single = Object.fromEntries(
    await Promise.all(SCOPES.map(async (scope) => [`owner ${scope}`, (await mint('owner', org, [scope])).token])),
  ) as Record<`owner ${Scope}`, string>;
  const revoked = await mint('owner', org, SCOPES);
  await ask('DELETE', `/api/tokens/${revoked.id}`, sessions.owner);
  const now = Math.floor(Date.now() / 1000);
  const expired = await new SignJWT({ org, scope: SCOPES.join(' ') })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(people.owner.id)
    .setAudience('connect')
    .setJti('of-the-past')
    .setIssuedAt(now - 600)
    .setExpirationTime(now - 300)
    .sign(key);
  const tokenOf = async (name: PersonName, organization = org): Promise<string> =>
    (await mint(name, organization, SCOPES)).token;
  const callers: Record<CallerName, string | undefined> = {
    nobody: undefined,
    ...sessions,
    ...single,
    'stranger token': await tokenOf('stranger', elsewhere),
    'removed token': await tokenOf('removed'),
    'outsider token': await tokenOf('outsider'),
    'member token': await tokenOf('member'),
    'lead token': await tokenOf('lead'),
    'admin token': await tokenOf('admin'),
    'owner token for Default': (await mint('owner', org, SCOPES, { workspace: defaultId })).token,
    'owner token, expired': expired,
    'owner token, revoked': revoked.token,
    'scim token': (await ask<{ token: string }>('POST', `/api/organizations/${org}/scim-tokens`, sessions.owner)).token,
    operator: DEBUG_TOKEN,
  };
  await db.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
    org,
    people.removed.id,
  ]);

  const invite = async (organization: string, email: string): Promise<string> => {
    const id = newId('inv');
    await db.query(
      "insert into :schema.invitation (id, organization_id, email, role, created_at, expires_at) values ($1, $2, $3, 'member', now(), now() + interval '1 day')",
      [id, organization, email],
    );
    return id;
  };
  const write = callers['owner connect:write'];
  const importToken = async (): Promise<string> =>
    (
      await ask<{ connection: { id: string } }>('POST', '/connect/connections/import', write, {
        body: {
          kind: 'code-host-token',
          provider: 'github',
          name: newId('x').replace('_', '-'),
          workspace: lab,
          token: 'ghp_of-the-tests',
        },
      })
    ).connection.id;
  const askInThread = async (): Promise<{ thread: string; message: string }> => {
    const { headers, text, status } = await call('POST', '/api/chat', sessions.owner, {
      body: { organization: org, workspace: lab, model: MODEL, message: { text: `about ${MARK}` } },
    });
    const id = headers.get('x-service-thread') ?? /"(thr_\w+)"/.exec(text)?.[1];
    if (id === undefined) throw new Error(`the turn answered ${status}: ${text}`);
    return { thread: id, message: headers.get('x-service-message') ?? '' };
  };
  const startThread = async (): Promise<string> => (await askInThread()).thread;
  const storeResponse = async (): Promise<string> =>
    (
      await ask<{ id: string }>('POST', '/v1/responses', callers['owner chat'], {
        body: { model: MODEL, input: MARK },
        headers: { 'x-service-workspace': lab },
      })
    ).id;
  const webhook = JSON.stringify({
    type: 'auth',
    operation: 'creation',
    success: true,
    connectionId: 'conn-1',
    providerConfigKey: 'pipedrive',
    provider: 'pipedrive',
    authMode: 'OAUTH2',
    environment: 'prod',
    tags: { organization_id: org, workspace_id: lab, end_user_id: people.owner.id, connection_name: MARK },
  });
  nango.connections.push({
    connection_id: 'conn-1',
    provider_config_key: 'pipedrive',
    provider: 'pipedrive',
    tags: { organization_id: org, workspace_id: lab, end_user_id: people.owner.id, connection_name: MARK },
  });
  const stored = await fetch(atServer('/connect/integrations/webhook'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-provider-hmac-sha256': createHmac('sha256', WEBHOOK_SECRET).update(webhook).digest('hex'),
    },
    body: webhook,
  });
  if (!stored.ok) throw new Error(`the webhook answered ${stored.status}`);
  const { connections } = await ask<{ connections: { id: string; provider: string }[] }>(
    'GET',
    `/connect/connections?workspace=${lab}`,
    callers['owner connect:read'],
  );

  const form = new FormData();
  form.set('organization', org);
  form.set('file', new File([MARK], 'notes.txt', { type: 'text/plain' }));
  const picture = new FormData();
  picture.set('organization', org);
  picture.set('file', new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'dot.png', { type: 'image/png' }));
  const client = (
    await ask<{ client_id: string }>('POST', '/api/oauth/register', undefined, {
      body: { redirect_uris: ['http://127.0.0.1:1/callback'], client_name: 'A client' },
    })
  ).client_id;
  const startRun = async (): Promise<string> => {
    const body = { objective: MARK, workspace: lab };
    const made = await ask<{ job: { id: string } }>(
      'POST',
      '/runtime/agents/factory/jobs',
      callers['owner jobs:write'],
      { body },
    );
    return made.job.id;
  };

  return {
    callers,
    people,
    org,
    lab,
    client,
    call,
    invitation: await invite(third.id, people.invitee.email),
    guardrail: (
      await ask<{ group: { id: string } }>('POST', `/api/organizations/${org}/guardrails`, sessions.owner, {
        body: { name: 'Group', rules: [{ kind: 'length', config: { max: 10 } }] },
      })
    ).group.id,
    ...(await askInThread()),
    attachment: (await ask<{ id: string }>('POST', '/api/attachments', sessions.owner, { form })).id,
    image: (await ask<{ id: string }>('POST', '/api/attachments', sessions.owner, { form: picture })).id,
    job: await startRun(),
    connection: connections.find(({ provider }) => provider === 'pipedrive')?.id ?? '',
    response: await storeResponse(),
    fresh: {
      response: storeResponse,
      async organization() {
        // An operator sees its name in a list, and nothing of what is in it.
        const body = { name: 'Fresh', ownerEmail: (await this.account()).email };
        const made = await ask<{ organization: { id: string } }>(
          'POST',
          '/service-debug/organizations',
          callers.operator,
          { body },
        );
        return made.organization.id;
      },
      run: startRun,
      async schedule() {
        const run = { objective: `about ${MARK}`, workspace: lab };
        const body = { name: `Daily ${MARK}`, run, every: 86_400 };
        const made = await ask<{ schedule: { id: string } }>(
          'POST',
          '/runtime/schedules',
          callers['owner jobs:write'],
          {
            body,
          },
        );
        return made.schedule.id;
      },
      async ownOrganization() {
        const session = await this.accountSession();
        const body = { name: 'Left' };
        const { organization } = await ask<{ organization: { id: string; name: string } }>(
          'POST',
          '/api/organizations',
          session,
          { body },
        );
        return { ...organization, session };
      },
      async accountSession() {
        return addSession(db, await addPerson(db));
      },
      async labAccount() {
        const ws = await this.lab();
        const at = `/api/workspaces/${ws}/models-accounts`;
        const made = await ask<{ account: { id: string } }>('POST', at, sessions.owner, { body: ACCOUNT });
        return { ws, account: made.account.id };
      },
      async organizationAccount() {
        await db.query('delete from :schema.models_account where organization_id = $1', [org]);
        const at = `/api/organizations/${org}/models-accounts`;
        return (await ask<{ account: { id: string } }>('POST', at, sessions.owner, { body: ACCOUNT })).account.id;
      },
      async project() {
        // A workspace has no room for one for each call.
        await db.query('delete from :schema.project where workspace_id = $1', [lab]);
        const body = { organization: org, workspace: lab, name: MARK, instructions: MARK, sharing: 'edit' };
        const { project } = await ask<{ project: { id: string } }>('POST', '/api/projects', sessions.owner, { body });
        const file = new FormData();
        file.set('file', new File([MARK], `${MARK}.txt`, { type: 'text/plain' }));
        const added = await ask<{ file: { id: string } }>('POST', `/api/projects/${project.id}/files`, sessions.owner, {
          form: file,
        });
        return { project: project.id, file: added.file.id };
      },
      async leftProject() {
        const { project } = await this.project();
        await db.query("update :schema.project set created_by = $2, sharing = 'private' where id = $1", [
          project,
          (await addPerson(db)).id,
        ]);
        return project;
      },
      async trigger() {
        // A workspace has no room for one for each call.
        await db.query("delete from :schema.standing_run where workspace_id = $1 and kind = 'trigger'", [lab]);
        const run = { objective: `${MARK} {{title}}`, workspace: lab };
        const body = { name: MARK, run, source: 'gitlab', secret: 'of-the-walk', enabled: false };
        const { trigger } = await ask<{ trigger: { id: string } }>(
          'POST',
          '/runtime/triggers',
          callers['owner jobs:write'],
          {
            body,
          },
        );
        const headers = { 'x-gitlab-token': 'of-the-walk' };
        await ask('POST', `/hooks/${trigger.id}`, undefined, { body: { title: MARK }, headers });
        const { deliveries } = await ask<{ deliveries: { id: string }[] }>(
          'GET',
          `/runtime/triggers/${trigger.id}/deliveries`,
          callers['owner jobs:read'],
        );
        return { id: trigger.id, delivery: deliveries[0]?.id ?? '' };
      },
      async noImports() {
        await db.query('delete from :schema.chat_import where organization_id = $1', [org]);
      },
      async import(received) {
        await this.noImports();
        const place = { userId: people.owner.id, organizationId: org, workspaceId: lab, workspacePicked: true };
        const bounds = { importMib: 1, storageBytes: 1_000_000_000 };
        const file = { withProjects: true, name: `${MARK}.zip`, size: 4 };
        const { id } = await createImport(db, { ...place, ...file }, bounds);
        const part = { userId: people.owner.id, importId: id, position: 0, content: Buffer.from('"ab"') };
        if (received) await putPart(db, part, bounds);
        return id;
      },
      account: () => addPerson(db),
      member: async () => (await join(db, org, await addPerson(db), 'member')).id,
      labMember: async () =>
        (await joinWorkspace(db, org, lab, await join(db, org, await addPerson(db), 'member'), 'member')).id,
      async lab() {
        const { id } = await createWorkspace(
          db,
          { userId: people.owner.id, organizationId: org },
          { name: `Lab ${MARK}` },
        );
        await joinWorkspace(db, org, id, people.member, 'member');
        await joinWorkspace(db, org, id, people.lead, 'admin');
        return id;
      },
      invitation: () => invite(org, `${newId('x')}@example.test`),
      token: async () => (await mint('owner', org, ['chat'])).id,
      async scimToken() {
        const id = newId('sct');
        await db.query(
          "insert into :schema.scim_token (id, organization_id, digest, created_at) values ($1, $2, 'sha256:' || $1, now())",
          [id, org],
        );
        return id;
      },
      async noScimTokens() {
        await db.query("delete from :schema.scim_token where organization_id = $1 and digest = 'sha256:' || id", [org]);
      },
      thread: startThread,
      message: askInThread,
      async answer() {
        const { thread } = await askInThread();
        const shown = await ask<{ thread: { messages: { id: string }[] } }>(
          'GET',
          `/api/threads/${thread}`,
          sessions.owner,
        );
        return { thread, message: shown.thread.messages.at(-1)?.id ?? '' };
      },
      async rated() {
        const { thread, message } = await this.answer();
        const body = { rating: 'up', reason: MARK };
        await ask('PUT', `/api/threads/${thread}/messages/${message}/feedback`, sessions.owner, { body });
        return { thread, message };
      },
      async sharedThread() {
        const { thread, message } = await askInThread();
        const { share } = await ask<{ share: { id: string } }>('PUT', `/api/threads/${thread}/share`, sessions.owner);
        return { thread, share: share.id, message };
      },
      /** Made by a person who is not among the callers. */
      async prompt() {
        const maker = await joinWorkspace(db, org, lab, await join(db, org, await addPerson(db), 'member'), 'member');
        const { id } = await createPrompt(
          db,
          { id: maker.id, name: 'Maker' },
          { organizationId: org, workspaceId: lab, name: promptName(), text: MARK },
        );
        return id;
      },
      /** Made by a person who is not among the callers. */
      async recipe() {
        const { id: userId } = await joinWorkspace(
          db,
          org,
          lab,
          await join(db, org, await addPerson(db), 'member'),
          'member',
        );
        const membership = await findMembership(db, { userId, organizationId: org, workspaceId: lab });
        if (!membership) throw new Error('the maker is in no workspace');
        const run = {
          objective: `${MARK} {{topic}}`,
          kind: 'chat',
          model: undefined,
          capabilities: [],
          fundingWorkspaceId: undefined,
          environment: undefined,
          deliver: undefined,
        } as const;
        return (await createRecipe(db, membership, { name: promptName(), description: '', run })).id;
      },
      async environment() {
        await db.query('delete from :schema.environment where workspace_id = $1', [lab]);
        await ask('PUT', `/runtime/environments/kept?workspace=${lab}`, callers['owner jobs:write'], {
          body: { setup: `echo ${MARK}` },
        });
        return 'kept';
      },
      async route() {
        await ask('PUT', `/api/organizations/${org}/routes/gone`, sessions.owner, { body: { models: [MODEL] } });
        return 'gone';
      },
      async subscription() {
        await db.query('delete from :schema.subscription where organization_id = $1', [org]);
        const body = { url: `https://example.test/${MARK}`, events: ['run.failed'], workspace: lab };
        const { subscription } = await ask<{ subscription: { id: string } }>(
          'POST',
          '/runtime/subscriptions',
          callers['owner jobs:write'],
          { body },
        );
        await db.query("select :schema.announce_event($1, $2, 'run.failed', '{}')", [org, lab]);
        const { rows } = await db.query<{ id: string }>(
          'select id from :schema.subscription_delivery where subscription_id = $1',
          [subscription.id],
        );
        return { id: subscription.id, delivery: rows[0]?.id ?? '' };
      },
      async cap() {
        const id = (await join(db, org, await addPerson(db), 'member')).id;
        const body = { subject: { kind: 'member', id }, monthlyUsd: 5 };
        return (await ask<{ id: string }>('PUT', `/api/organizations/${org}/caps`, sessions.owner, { body })).id;
      },
      connection: importToken,
      async grant() {
        const id = newId('grt');
        await db.query(
          "insert into :schema.oauth_grant (id, user_id, client_id, client_name, organization_id, scopes, offline, created_at, used_at) values ($1, $2, $3, 'A client', $4, '{chat}', false, now(), now())",
          [id, people.owner.id, client, org],
        );
        return id;
      },
      /** A client's request that the owner has looked at. */
      async consent() {
        const query = new URLSearchParams({
          response_type: 'code',
          client_id: client,
          redirect_uri: 'http://127.0.0.1:1/callback',
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
          scope: 'connect:read',
        });
        const { headers } = await call('GET', `/api/oauth/authorize?${query}`, sessions.owner);
        const id = new URL(headers.get('location') ?? '', publicUrl).searchParams.get('request') ?? '';
        await ask('GET', `/api/oauth/requests/${id}`, sessions.owner);
        return id;
      },
      session: (name) => addSession(db, people[name]),
      async sessionId(name) {
        await addSession(db, people[name]);
        const { rows } = await db.query<{ id: string }>(
          'select id from :schema.identity_session where user_id = $1 order by created_at desc limit 1',
          [people[name].id],
        );
        return rows[0]?.id ?? '';
      },
      async factors(name) {
        const id = newId('psk');
        await db.query(
          `with password as (
             insert into :schema.identity_account (id, user_id, account_id, provider_id, password) values ($2, $1, $1, 'credential', $3)
             on conflict (provider_id, account_id) do nothing),
           code as (
             insert into :schema.identity_one_time_code (user_id, ciphertext, iv, auth_tag, created_at, confirmed_at) values ($1, '', '', '', now(), now())
             on conflict (user_id) do update set confirmed_at = now())
           insert into :schema.identity_passkey (id, user_id, name, credential_id, public_key, counter, transports, backed_up, created_at)
           values ($2, $1, 'Key', $2, '', 0, '{}', false, now())`,
          [people[name].id, id, await hashPassword(id)],
        );
        return id;
      },
      async noPassword(name) {
        await db.query('delete from :schema.identity_account where user_id = $1', [people[name].id]);
      },
      async noCodes(name) {
        await db.query('delete from :schema.identity_one_time_code where user_id = $1', [people[name].id]);
      },
    },
    noKeys: async () =>
      void (await db.query('delete from :schema.org_provider_api_key where organization_id = $1', [org])),
    opens: (path) =>
      new Promise((resolve) => {
        const socket = new WebSocket(atServer(path).replace('http', 'ws'));
        socket.addEventListener('open', () => (socket.close(), resolve(true)));
        socket.addEventListener('error', () => resolve(false));
      }),
    async close() {
      changes.close();
      web.server.closeAllConnections();
      await Promise.all([web.close(), chat.close()]);
      await stopApi();
      await responses.close();
      await turns.close();
      await listener.close();
      await Promise.all([nango.close(), upstream.stop()]);
      await db.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
