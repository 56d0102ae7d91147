// `servicectl doctor` against a real stack: each row breaks one thing, and the doctor must find it, by the check that is
// meant to, with the way to fix it.
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ENVIRONMENT as ENVIRONMENT_TABLE } from '../../src/base/environment.ts';
import { seal } from '../../src/base/seal.ts';
import { PLACEHOLDER_UUID, writeBundle } from '../../src/base/secrets-bundle.ts';
import { completeFromStack } from '../../src/entry/admin/doctor/complete-from-stack.ts';
import { openDeployment } from '../../src/entry/admin/doctor/deployment.ts';
import { CHECKS } from '../../src/entry/admin/doctor/checks.ts';
import { type Diagnosis, runChecks } from '../../src/entry/admin/doctor/run-checks.ts';
import { sandboxListener } from '../../src/http/sandbox/sandbox-listener.ts';
import { providerKeyContext } from '../../src/keys/sealed-secrets.ts';
import { SECRET_READERS, type SecretName } from '../../src/stack/secret-readers.ts';
import type { Database } from '../../src/store/database.ts';
import { RUNTIME_ROLES } from '../../src/process/process-roles.ts';
import { openTestDatabase, quiet, withSuperuser } from '../support/database.ts';
import { type FakeNango, send, startFakeNango } from '../support/tools/fake-nango.ts';
import { freePort } from '../support/free-port.ts';
import { type KeyProvider, startKeyProvider, status } from '../support/models/key-provider.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { addOrganization, addPerson } from '../support/people.ts';
import { openProviderTables, type ProviderTables } from '../support/models/provider-tables.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';
import { startRedis } from '../support/redis.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { servicectl, startOnTerminal } from '../support/cli/servicectl.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

type Change = Record<string, string | undefined>;

/** The only schedule there is, of a person of a new organization. */
async function withSchedule(next: string): Promise<Change> {
  const person = await addPerson(db);
  const { id, defaultId } = await addOrganization(db, person);
  await db.query('delete from :schema.standing_run');
  await db.query(
    `insert into :schema.standing_run (id, kind, organization_id, workspace_id, created_by, name, objective, run_kind, scopes, started_with, created_at)
       values ('sch_x', 'schedule', $1, $2, $3, 'Daily', 'look at it', 'chat', '{}', 'session', now())`,
    [id, defaultId, person.id],
  );
  await db.query(
    `insert into :schema.schedule (id, every_seconds, anchored_at, overlap, catch_up, next_at, look_at) values ('sch_x', 3600, now(), 'skip', 'one', ${next}, ${next})`,
  );
  return elsewhere();
}

/** The only trigger there is, of a person of a new organization. */
async function withTrigger(): Promise<Change> {
  const person = await addPerson(db);
  const { id, defaultId } = await addOrganization(db, person);
  await db.query('delete from :schema.standing_run');
  await db.query(
    `insert into :schema.standing_run (id, kind, organization_id, workspace_id, created_by, name, objective, run_kind, scopes, started_with, created_at)
       values ('trg_x', 'trigger', $1, $2, $3, 'Issues', 'look at it', 'chat', '{}', 'session', now())`,
    [id, defaultId, person.id],
  );
  await db.query("insert into :schema.run_trigger (id, source) values ('trg_x', 'github')");
  return elsewhere();
}

interface Broken {
  readonly says: string;
  /** What is set, or unset, in an environment that was healthy. */
  readonly change: Change | (() => Change | Promise<Change>);
  readonly check: string;
  readonly level?: 'warning';
  readonly what: RegExp;
  readonly fix: RegExp;
}

const PUBLIC = { SERVICE_PUBLIC_URL: 'https://service.example.test' };
const SANDBOX_TOKEN = 'the-token-of-the-sandbox-controller';
const WRONG_KEY = randomBytes(32).toString('base64');
let stack: TestStack;
let directory: string;
let healthy: Change;
let db: Database;
let deadPort: number;
let nango: FakeNango;
let models: KeyProvider;
let tables: ProviderTables;
const servers: Server[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-'));
  [stack, db, deadPort, nango, models, tables] = await Promise.all([
    startStack(),
    openTestDatabase(),
    freePort(),
    startFakeNango(),
    startKeyProvider(),
    openProviderTables(),
  ]);
  nango.answer = ({ path }, response) => path === '/health' && (send(response, 200, { result: 'ok' }), true);
  const { environment } = await completeFromStack({ SERVICE_DATA_DIR: stack.dataDirectory });
  // As a deployment whose parts are started one by one: nothing is read from the stack's own files.
  healthy = {
    ...environment,
    SERVICE_DATA_DIR: directory,
    SERVICE_SANDBOX_URL: `unix:${stack.dataDirectory}/sandbox.sock`,
  };
});
afterAll(async () => {
  for (const server of servers) server.close();
  await Promise.all([stack?.stop(), db?.close(), nango?.close(), models?.close(), tables?.close()]);
  await rm(directory, { recursive: true, force: true });
});

async function diagnose(
  environment: Change,
  options: { bundle?: string; production?: boolean } = {},
): Promise<Diagnosis> {
  const deployment = await openDeployment(environment, {
    bundle: options.bundle,
    production: options.production === true,
  });
  try {
    return await runChecks(deployment);
  } finally {
    await deployment.close();
  }
}

/** A part that answers every request in this way. */
async function answering(answer: (response: ServerResponse, path: string) => void): Promise<string> {
  const server = createServer((request, response) => answer(response, request.url ?? ''));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const answeringJson = (code: number, body: unknown): Promise<string> =>
  answering((response) => send(response, code, body));
/** The controller's own interface, which requires a token. */
async function controllerWithToken(): Promise<string> {
  const limits = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' } as const;
  const health = () => ({ ok: true, driver: 'bubblewrap', limits, sandboxes: 0 }) as const;
  const server = createServer(sandboxListener({ health, token: SANDBOX_TOKEN, log: quiet }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const at = (change: (url: URL) => void): Change => {
  const url = new URL(inject('postgresUrl'));
  change(url);
  return { SERVICE_UPSTREAM_DB: url.href };
};
/** The run's own PostgreSQL, with tables and without processes. */
const elsewhere = (): Change => ({ SERVICE_UPSTREAM_DB: inject('postgresUrl'), SERVICE_DB_SCHEMA: db.schema });
const provider = (): Change => ({
  SERVICE_INTEGRATIONS_URL: nango.url,
  SERVICE_INTEGRATIONS_SECRET_KEY: nango.secretKey,
});

const ENVIRONMENT: Broken[] = [
  {
    says: 'a port that is not a number',
    change: { SERVICE_WEB_PORT: 'eighty' },
    check: 'environment.values',
    what: /^SERVICE_WEB_PORT has a value/,
    fix: /takes a port number from 1 to 65535/,
  },
  {
    says: 'an encryption key of another length',
    change: { BYOK_ENCRYPTION_KEY_B64: 'c2hvcnQ=' },
    check: 'environment.values',
    what: /^BYOK_ENCRYPTION_KEY_B64/,
    fix: /exactly 32 bytes.*openssl rand -base64 32/,
  },
  {
    says: 'a misspelt variable',
    change: { SERVICE_INTEGRATION_URL: 'http://x' },
    check: 'environment.names',
    level: 'warning',
    what: /^SERVICE_INTEGRATION_URL is set, but nothing reads it/,
    fix: /Rename it to SERVICE_INTEGRATIONS_URL/,
  },
  {
    says: 'a name of before, with the provider in it',
    change: { SERVICE_INTEGRATIONS_NANGO_SECRET_KEY: 'x' },
    check: 'environment.names',
    level: 'warning',
    what: /nothing reads it/,
    fix: /Rename it to SERVICE_INTEGRATIONS_SECRET_KEY/,
  },
  {
    says: 'a role that there is not',
    change: { SERVICE_PROCESS_ROLE: 'worker' },
    check: 'environment.role',
    what: /not one of the roles/,
    fix: /one of api, driver, worker-chat/,
  },
  {
    says: 'a role with a blank before it',
    change: { SERVICE_PROCESS_ROLE: ' worker-chat' },
    check: 'environment.role',
    what: /not one of the roles/,
    fix: /one of api, driver, worker-chat/,
  },
  {
    says: 'a door that only 1 opens',
    change: { SERVICE_GATEWAY_ALLOW_PRIVATE: 'true' },
    check: 'environment.values',
    level: 'warning',
    what: /^SERVICE_GATEWAY_ALLOW_PRIVATE is set to something other than 1/,
    fix: /^Set SERVICE_GATEWAY_ALLOW_PRIVATE=1/,
  },
  {
    says: 'a model catalogue that is not there',
    change: { SERVICE_MODEL_CATALOG: '/no/such/file.json' },
    check: 'environment.models',
    what: /not a valid model catalogue/,
    fix: /the path of a readable JSON file/,
  },
  {
    says: 'no request limit on a public origin',
    change: { ...PUBLIC, DISABLE_KV_STORE: 'true' },
    check: 'limits.chat',
    level: 'warning',
    what: /no limit on chat requests/,
    fix: /Unset DISABLE_KV_STORE/,
  },
];

const SECRETS: Broken[] = [
  {
    says: 'no AUTH_SECRET',
    change: { AUTH_SECRET: undefined },
    check: 'secrets.auth',
    what: /AUTH_SECRET is not set/,
    fix: /openssl rand -base64 32/,
  },
  {
    says: 'a short AUTH_SECRET',
    change: { AUTH_SECRET: 'short-and-sweet' },
    check: 'secrets.auth',
    level: 'warning',
    what: /has 15 characters/,
    fix: /openssl rand/,
  },
  {
    says: 'no secret for connect tokens at all',
    change: { AUTH_SECRET: undefined, SERVICE_CONNECT_JWT_SECRET: undefined },
    check: 'secrets.connect',
    what: /no secret for connect tokens/,
    fix: /SERVICE_CONNECT_JWT_SECRET/,
  },
  {
    says: 'one secret for connect tokens and diagnostics',
    change: () => ({ SERVICE_DEBUG_JWT_SECRET: healthy['SERVICE_CONNECT_JWT_SECRET'] }),
    check: 'secrets.connect',
    level: 'warning',
    what: /also the secret of connect tokens/,
    fix: /its own output/,
  },
  {
    says: 'no encryption key of connections',
    change: { SERVICE_CONNECTION_ENCRYPTION_KEY_B64: undefined },
    check: 'secrets.keys',
    what: /SERVICE_CONNECTION_ENCRYPTION_KEY_B64 is not set/,
    fix: /openssl rand -base64 32.*Keep a copy/,
  },
  {
    says: 'an encryption key of zeros',
    change: { BYOK_ENCRYPTION_KEY_B64: Buffer.alloc(32).toString('base64') },
    check: 'secrets.keys',
    what: /one byte repeated/,
    fix: /servicectl keys rewrap/,
  },
  {
    says: 'one encryption key for both',
    change: () => ({ BYOK_ENCRYPTION_KEY_B64: healthy['SERVICE_CONNECTION_ENCRYPTION_KEY_B64'] }),
    check: 'secrets.keys',
    level: 'warning',
    what: /both encryption keys are the same/,
    fix: /keys rewrap/,
  },
  {
    says: 'a placeholder',
    change: { AUTH_SECRET: 'change-me-change-me-change-me-change-me' },
    check: 'secrets.placeholders',
    what: /AUTH_SECRET is still a placeholder/,
    fix: /bundle check/,
  },
  {
    says: "the bundle's placeholder of the provider's key",
    change: { SERVICE_INTEGRATIONS_SECRET_KEY: PLACEHOLDER_UUID },
    check: 'secrets.placeholders',
    level: 'warning',
    what: /SERVICE_INTEGRATIONS_SECRET_KEY is still the placeholder/,
    fix: /Environment Settings, API Keys/,
  },
  {
    says: 'a debug token that is easily guessed',
    change: { ...PUBLIC, SERVICE_DEBUG_TOKEN: 'debug' },
    check: 'secrets.debug',
    level: 'warning',
    what: /SERVICE_DEBUG_TOKEN has 5 characters/,
    fix: /openssl rand -hex 32/,
  },
  {
    says: 'a debug token that cannot be sent',
    change: { SERVICE_DEBUG_TOKEN: 'schlüssel-für-alle' },
    check: 'secrets.debug',
    what: /not allowed in a header/,
    fix: /plain letters/,
  },
];

const FILES: Broken[] = [
  {
    says: 'a data directory that is not there',
    change: () => ({ SERVICE_DATA_DIR: join(directory, 'gone') }),
    check: 'files.directory',
    what: /does not exist/,
    fix: /SERVICE_DATA_DIR|mkdir/,
  },
  {
    says: 'a data directory that others may write',
    check: 'files.directory',
    what: /other users can write/,
    fix: /^chmod 700 /,
    change: async () => {
      await mkdir(join(directory, 'open'));
      await chmod(join(directory, 'open'), 0o777);
      return { SERVICE_DATA_DIR: join(directory, 'open') };
    },
  },
  {
    says: 'secrets that others may read',
    check: 'files.modes',
    what: /\.env can be read by other users \(mode 0644\)/,
    fix: /^chmod 600 /,
    change: async () => {
      await mkdir(join(directory, 'loose'), { mode: 0o700 });
      await writeFile(join(directory, 'loose', '.env'), '', { mode: 0o644 });
      return { SERVICE_DATA_DIR: join(directory, 'loose') };
    },
  },
  {
    says: 'a damaged file of secrets',
    check: 'files.modes',
    what: /\.env is damaged in line 1$/,
    fix: /backup/,
    change: async () => {
      await mkdir(join(directory, 'damaged'), { mode: 0o700 });
      await writeFile(join(directory, 'damaged', '.env'), 'AUTH_SECRET=half-of-a-secret\n', { mode: 0o600 });
      return { SERVICE_DATA_DIR: join(directory, 'damaged') };
    },
  },
  {
    says: 'a database that is older than its data directory',
    check: 'storage.checkpoints',
    level: 'warning',
    what: /does not have 1 of the checkpoints in .*, from 000900000000\.txt of 2030-01-01/,
    fix: /evidence/,
    change: async () => {
      await mkdir(join(directory, 'newer', 'checkpoints'), { recursive: true, mode: 0o700 });
      await writeFile(
        join(directory, 'newer', 'checkpoints', '000900000000.txt'),
        `receipt-checkpoint/v1\n900000000\n2030-01-01T00:00:00.000Z\n3\n${'ab'.repeat(32)}\n`,
      );
      return { SERVICE_DATA_DIR: join(directory, 'newer') };
    },
  },
  {
    says: 'a disk without space',
    // A file system that has none.
    change: { SERVICE_DATA_DIR: '/proc' },
    check: 'files.disk',
    what: /^0 MiB are free/,
    fix: /Free some space/,
  },
  {
    says: 'a stack that was killed',
    check: 'files.stack',
    level: 'warning',
    what: /no longer runs/,
    fix: /npm start/,
    change: async () => {
      await mkdir(join(directory, 'killed'), { mode: 0o700 });
      await writeFile(
        join(directory, 'killed', 'stack.json'),
        JSON.stringify({ ...(await stack.state()), pid: 2 ** 22 + 1 }),
        { mode: 0o600 },
      );
      return { SERVICE_DATA_DIR: join(directory, 'killed') };
    },
  },
];

const STORAGE: Broken[] = [
  {
    says: 'no database',
    change: { SERVICE_UPSTREAM_DB: undefined },
    check: 'storage.reachable',
    what: /SERVICE_UPSTREAM_DB is not set/,
    fix: /postgresql:\/\/user:password@host:port\/database/,
  },
  {
    says: 'a database where nothing listens',
    change: () => at((url) => (url.port = String(deadPort))),
    check: 'storage.reachable',
    what: /nothing listens/,
    fix: /Start PostgreSQL/,
  },
  {
    says: 'a host that there is not',
    change: () => at((url) => (url.hostname = 'nowhere.invalid')),
    check: 'storage.reachable',
    what: /host/,
    fix: /SERVICE_UPSTREAM_DB|resolution/,
  },
  {
    says: 'a wrong password',
    change: () => at((url) => (url.password = 'a-wrong-password')),
    check: 'storage.reachable',
    what: /refuses the password/,
    fix: /alter role/,
  },
  {
    says: 'a database that does not exist',
    change: () => at((url) => (url.pathname = '/nothing_here')),
    check: 'storage.reachable',
    what: /does not exist/,
    fix: /create database/,
  },
  {
    says: 'a database of another encoding',
    check: 'storage.server',
    what: /encoding SQL_ASCII/,
    fix: /encoding 'UTF8'/,
    change: async () => {
      const name = `ascii_${db.schema}`;
      await withSuperuser((client) =>
        client.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`),
      );
      return at((url) => (url.pathname = `/${name}`));
    },
  },
  {
    says: 'a database that accepts no writes',
    check: 'storage.server',
    what: /accepts no writes/,
    fix: /reset default_transaction_read_only/,
    change: async () => {
      const name = `reader_${db.schema}`;
      await withSuperuser(async (client) => {
        await client.query(`create role ${name} login superuser password 'reader-password'`);
        await client.query(`alter role ${name} set default_transaction_read_only = on`);
      });
      return { ...elsewhere(), ...at((url) => ([url.username, url.password] = [name, 'reader-password'])) };
    },
  },
  {
    says: 'a role that may not make tables',
    check: 'storage.schema',
    what: /may not create tables/,
    fix: /grant create on database/,
    change: async () => {
      const name = `powerless_${db.schema}`;
      await withSuperuser((client) => client.query(`create role ${name} login password 'powerless-password'`));
      return {
        ...at((url) => ([url.username, url.password] = [name, 'powerless-password'])),
        SERVICE_DB_SCHEMA: 'not_there_yet',
      };
    },
  },
  {
    says: 'a schema without tables',
    change: () => ({ ...elsewhere(), SERVICE_DB_SCHEMA: 'empty_one' }),
    check: 'storage.schema',
    what: /has no tables yet/,
    fix: /Start the api role/,
  },
  {
    says: 'migrations that wait',
    change: () =>
      tampered('delete from :schema.migration where version = (select max(version) from :schema.migration)'),
    check: 'storage.schema',
    what: /1 migrations of this build are not applied/,
    fix: /Start the api role of this build/,
  },
  {
    says: 'functions that wait',
    change: () => tampered("delete from :schema.migration_function where name = 'chat.sql'"),
    check: 'storage.schema',
    what: /1 files of functions of this build are not applied/,
    fix: /Start the api role of this build/,
  },
  {
    says: 'a migration that was changed',
    change: () => tampered("update :schema.migration set checksum = 'another' where version = 1"),
    check: 'storage.schema',
    what: /was changed after it was applied/,
    fix: /Restore the file/,
  },
  {
    says: 'a database that is newer than the build',
    change: () =>
      tampered(
        "insert into :schema.migration (version, name, checksum, oldest_build) values (9999, '9999_later.sql', 'x', 9999)",
      ),
    check: 'storage.schema',
    what: /newer than this build.*9999_later/,
    fix: /Start the newer build/,
  },
  {
    says: 'a receipt stream that the last verification found broken',
    change: () => tampered(verification({ faults: 1, streams: 7 }, 'now()')),
    check: 'storage.chains',
    what: /^1 receipt stream does not verify/,
    fix: /incident\.md/,
  },
  {
    says: 'receipts that were not verified for days',
    change: () => tampered(verification({ faults: 0, streams: 7 }, "now() - interval '73 hours'")),
    check: 'storage.chains',
    level: 'warning',
    what: /last verified 3 days ago/,
    fix: /worker-control/,
  },
  {
    says: 'stored provider keys under another key',
    check: 'storage.provider-keys',
    what: /1 stored provider keys.*do not open/,
    fix: /servicectl keys rewrap --from-env/,
    change: async () => {
      const { id: organizationId, defaultId: workspaceId } = await addOrganization(db, await addPerson(db));
      const place = { organizationId, workspaceId, provider: 'openai' };
      const { ciphertext, iv, authTag } = seal(Buffer.from(WRONG_KEY, 'base64'), 'sk-test', providerKeyContext(place));
      await db.query(
        'insert into :schema.org_provider_api_key (organization_id, workspace_id, provider, ciphertext, iv, auth_tag, key_version, fingerprint) values ($1, $2, $3, $4, $5, $6, 1, $7)',
        [organizationId, workspaceId, place.provider, ciphertext, iv, authTag, '0123456789ab'],
      );
      return elsewhere();
    },
  },
  {
    says: 'stored connections under another key',
    check: 'storage.connections',
    what: /1 stored connections do not open/,
    fix: /connected again/,
    change: async () => {
      const { id, defaultId } = await addOrganization(db, await addPerson(db));
      await db.query(
        "insert into :schema.org_connection_secret (id, organization_id, workspace_id, provider, name, kind, status, ciphertext, iv, auth_tag, key_version) values ('con_x', $3, $4, 'github', 'default', 'code-host-token', 'valid', 'x', $1, $2, 1)",
        [Buffer.alloc(12), Buffer.alloc(16), id, defaultId],
      );
      return elsewhere();
    },
  },
  {
    says: 'stored responses under another key',
    check: 'storage.responses',
    level: 'warning',
    what: /1 of the 1 newest stored responses do not open/,
    fix: /they expire after SERVICE_RESPONSES_RETENTION_DAYS/,
    change: async () => {
      const person = await addPerson(db);
      const { id, defaultId } = await addOrganization(db, person);
      await db.query(
        "insert into :schema.stored_response (organization_id, workspace_id, user_id, id, kind, item_ids, bytes, output_bytes, ciphertext, iv, auth_tag, output_ciphertext, output_iv, output_auth_tag, key_version) values ($3, $4, $5, 'resp_x', 'response', '{}', 1, 0, 'x', $1, $2, 'x', $1, $2, 1)",
        [Buffer.alloc(12), Buffer.alloc(16), id, defaultId, person.id],
      );
      return elsewhere();
    },
  },
  {
    says: 'secrets of environments under another key',
    check: 'storage.environments',
    what: /1 secrets of environments do not open/,
    fix: /servicectl environments secret/,
    change: async () => {
      const { id, defaultId } = await addOrganization(db, await addPerson(db));
      await db.query(
        "insert into :schema.environment (id, organization_id, workspace_id, name, created_by) values ('env_x', $1, $2, 'x', 'usr_x')",
        [id, defaultId],
      );
      await db.query(
        "insert into :schema.environment_secret (environment_id, name, ciphertext, iv, auth_tag) values ('env_x', 'TOKEN', 'x', $1, $2)",
        [Buffer.alloc(12), Buffer.alloc(16)],
      );
      return elsewhere();
    },
  },
  {
    says: 'a subscription that has been failing for a day, and one that is turned off',
    check: 'subscriptions.delivery',
    level: 'warning',
    what: /^2 subscriptions fail: sub_b of org_\w+ \(turned off\), sub_a of org_\w+$/,
    fix: /worker-control/,
    change: async () => {
      const { id } = await addOrganization(db, await addPerson(db));
      await db.query(
        `insert into :schema.subscription (id, organization_id, created_by, url, events, ciphertext, iv, auth_tag, created_at, failing_since, disabled_at, disabled_reason)
         select t.id, $3, 'usr_x', 'https://example.test/', '{run.failed}', 'x', $1, $2, now(), now() - interval '25 hours', t.off, t.reason
           from (values ('sub_a', null::timestamptz, null), ('sub_b', now(), 'gone')) t (id, off, reason)`,
        [Buffer.alloc(12), Buffer.alloc(16), id],
      );
      return elsewhere();
    },
  },
];

/** A migrated schema of its own, with something wrong in it. */
/** What a run of verify-chains leaves. */
function verification(result: { readonly faults: number; readonly streams: number }, endedAt: string): string {
  return `insert into :schema.job (id, kind, task, objective, request_hash, status, created_at, ended_at, result, head_idx, head_hash)
    values ('job_verified', 'control', 'verify-chains', 'verify-chains', '', 'completed', now(), ${endedAt}, '${JSON.stringify(result)}', 2, '')`;
}

async function tampered(...statements: readonly string[]): Promise<Change> {
  const own = await openTestDatabase();
  for (const statement of statements) await own.query(statement);
  await own.close();
  return { ...elsewhere(), SERVICE_DB_SCHEMA: own.schema };
}

const PARTS: Broken[] = [
  {
    says: 'a broker that is down',
    change: () => ({ SERVICE_BROKER_URL: `http://127.0.0.1:${deadPort}` }),
    check: 'parts.broker',
    what: /broker cannot be reached.*nothing listens/,
    fix: /npm run broker/,
  },
  {
    says: 'a broker with another token',
    change: async () => ({ SERVICE_BROKER_URL: await answeringJson(401, {}), SERVICE_BROKER_TOKEN: 'not-this-one' }),
    check: 'parts.broker',
    what: /refuses SERVICE_BROKER_TOKEN/,
    fix: /the same SERVICE_BROKER_TOKEN/,
  },
  {
    says: 'a broker without a token',
    change: async () => ({ SERVICE_BROKER_URL: await answeringJson(200, {}) }),
    check: 'parts.broker',
    what: /does not require a token/,
    fix: /Set SERVICE_BROKER_TOKEN .*unset SERVICE_BROKER_ALLOW_OPEN/,
  },
  ...RUNTIME_ROLES.map((role): Broken => ({
    says: `no process in the role ${role}`,
    change: elsewhere,
    check: 'parts.roles',
    what: new RegExp(`no process is running in the role ${role}$`),
    fix: new RegExp(`SERVICE_PROCESS_ROLE=${role} npm run runtime`),
  })),
  {
    says: 'a process that was lost',
    check: 'parts.roles',
    what: /role web was lost \d+ s ago/,
    fix: /npm run web/,
    change: async () => {
      await db.query(
        "insert into :schema.process (id, role, host, pid, version, state, started_at, seen_at, figures) values ('prc_lost', 'web', 'h', 1, '0', 'running', now(), now() - interval '1 minute', '{}')",
      );
      return elsewhere();
    },
  },
  {
    says: 'a machine whose clock is off',
    check: 'parts.clocks',
    level: 'warning',
    what: /clock of far-away, where the role broker runs, is 90\.0 s behind/,
    fix: /time server/,
    change: async () => {
      const settings = elsewhere();
      await db.query(
        "insert into :schema.process (id, role, host, pid, version, state, started_at, seen_at, figures) values ('prc_skewed', 'broker', 'far-away', 1, '0', 'running', now(), now() + interval '1 hour', '{\"clockAheadMs\": -90000}')",
      );
      return settings;
    },
  },
  {
    says: 'a web server that is down',
    change: () => ({ SERVICE_WEB_URL: `http://127.0.0.1:${deadPort}` }),
    check: 'parts.web',
    what: /web server cannot be reached/,
    fix: /npm run web/,
  },
  {
    says: "another program on the web server's port",
    change: async () => ({ SERVICE_WEB_URL: await answering((response) => response.end('<h1>hello</h1>')) }),
    check: 'parts.web',
    what: /unlike the web server/,
    fix: /Stop the other program/,
  },
  {
    says: 'a runtime without its database',
    change: async () => ({ SERVICE_RUNTIME_URL: await answeringJson(503, { ok: false }) }),
    check: 'parts.runtime',
    what: /its database does not answer/,
    fix: /storage/,
  },
  {
    says: 'a sandbox controller that is down',
    change: () => ({ SERVICE_SANDBOX_URL: `unix:${directory}/none.sock` }),
    check: 'parts.sandbox',
    what: /cannot be reached/,
    fix: /npm run sandbox/,
  },
  {
    says: 'a sandbox controller that is not safe',
    change: async () => ({
      SERVICE_SANDBOX_URL: await answeringJson(503, {
        ok: false,
        reason: 'bwrap is not installed',
        fix: 'apt-get install bubblewrap',
      }),
      SERVICE_SANDBOX_TOKEN: 'a-token-of-the-sandbox',
    }),
    check: 'parts.sandbox',
    what: /refuses every run: bwrap is not installed/,
    fix: /apt-get install bubblewrap/,
  },
  {
    says: 'a sandbox with weak limits behind a gateway that others reach',
    change: async () => ({
      SERVICE_GATEWAY_HOST: '0.0.0.0',
      SERVICE_SANDBOX_URL: await answeringJson(200, {
        ok: true,
        driver: 'bubblewrap',
        limits: { memory: 'watchdog', processes: 'rlimit', disk: 'tmpfs', cpu: 'priority', time: 'timer' },
        sandboxes: 0,
      }),
      SERVICE_SANDBOX_TOKEN: 'a-token-of-the-sandbox',
    }),
    check: 'parts.sandbox',
    level: 'warning',
    what: /weak limits: memory by watchdog/,
    fix: /delegated cgroup/,
  },
  {
    says: 'a sandbox controller with another token',
    change: async () => ({
      SERVICE_SANDBOX_URL: await controllerWithToken(),
      SERVICE_SANDBOX_TOKEN: 'a-token-of-another-controller',
    }),
    check: 'parts.sandbox',
    what: /refuses SERVICE_SANDBOX_TOKEN/,
    fix: /the same SERVICE_SANDBOX_TOKEN/,
  },
  {
    says: 'a gateway of another build',
    change: async () => ({
      SERVICE_GATEWAY_PORT: new URL(await answeringJson(200, { ok: true, version: '9.9.9', build: 'abc' })).port,
    }),
    check: 'parts.builds',
    level: 'warning',
    what: /^not all parts are of one build.*gateway \(9\.9\.9\+abc\)/,
    fix: /from the build that is deployed/,
  },
  {
    says: 'a sandbox controller without a token',
    change: { SERVICE_SANDBOX_URL: 'http://127.0.0.1:9' },
    check: 'parts.sandbox',
    what: /SERVICE_SANDBOX_TOKEN is not set/,
    fix: /openssl rand -hex 32/,
  },
];

const GATEWAY: Broken[] = [
  {
    says: 'a gateway that is down',
    change: () => ({ SERVICE_GATEWAY_PORT: String(deadPort) }),
    check: 'gateway.reachable',
    what: /gateway cannot be reached/,
    fix: /npm run gateway/,
  },
  {
    says: 'a runtime that is down behind the gateway',
    change: async () => ({ SERVICE_GATEWAY_PORT: new URL(await answeringJson(502, {})).port }),
    check: 'gateway.reachable',
    what: /the runtime behind it does not/,
    fix: /SERVICE_RUNTIME_URL/,
  },
  {
    says: 'a service of the graph that leads nowhere',
    change: async () => ({ SERVICE_GATEWAY_PORT: new URL(await halfOfAGateway()).port }),
    check: 'gateway.graph',
    what: /^\/integrations leads nowhere/,
    fix: /SERVICE_INTEGRATIONS_URL/,
  },
  {
    says: 'a public URL without TLS',
    change: { SERVICE_PUBLIC_URL: 'http://service.example.test' },
    check: 'gateway.public-url',
    what: /is not https/,
    fix: /SERVICE_PUBLIC_URL=https:\/\/service\.example\.test/,
  },
  {
    says: 'a public URL with a path',
    change: { SERVICE_PUBLIC_URL: 'https://example.test/service' },
    check: 'gateway.public-url',
    what: /has a path: \/service/,
    fix: /SERVICE_PUBLIC_URL=https:\/\/example\.test$/,
  },
  {
    says: 'a public URL that does not resolve',
    change: { SERVICE_PUBLIC_URL: 'https://nobody.example.invalid' },
    check: 'gateway.public-way',
    what: /cannot be reached from here/,
    fix: /DNS record/,
  },
  {
    says: 'everyone as a trusted proxy',
    change: { SERVICE_TRUSTED_PROXIES: '127.0.0.1,0.0.0.0/0' },
    check: 'gateway.proxies',
    what: /trusts everyone in 0\.0\.0\.0\/0$/,
    fix: /addresses of your proxies/,
  },
  {
    says: 'half of the addresses as trusted proxies',
    change: { SERVICE_TRUSTED_PROXIES: '128.0.0.0/1, ::/0' },
    check: 'gateway.proxies',
    what: /128\.0\.0\.0\/1 and ::\/0$/,
    fix: /addresses of your proxies/,
  },
  {
    says: 'private addresses open to everyone who reaches the gateway',
    change: { SERVICE_GATEWAY_HOST: '0.0.0.0', SERVICE_ALLOW_PRIVATE_URLS: '1' },
    check: 'gateway.public-url',
    level: 'warning',
    what: /SERVICE_ALLOW_PRIVATE_URLS is on, and others can reach/,
    fix: /SERVICE_ALLOW_PRIVATE_URLS=0/,
  },
  {
    says: 'private services shown to everybody',
    change: { ...PUBLIC, SERVICE_GATEWAY_ALLOW_PRIVATE: '1' },
    check: 'gateway.exposure',
    what: /SERVICE_GATEWAY_ALLOW_PRIVATE=1 on a public origin/,
    fix: /Unset SERVICE_GATEWAY_ALLOW_PRIVATE/,
  },
];

/** A gateway whose integration provider is down. */
const halfOfAGateway = (): Promise<string> =>
  answering((response, path) =>
    /^\/(?:integrations|oauth)/.test(path) ? send(response, 502, {}) : send(response, 200, { ok: true }),
  );

const INTEGRATIONS: Broken[] = [
  {
    says: 'one of the three variables missing',
    change: { SERVICE_INTEGRATIONS_WEBHOOK_SECRET: undefined },
    check: 'integrations.variables',
    what: /SERVICE_INTEGRATIONS_WEBHOOK_SECRET is not set/,
    fix: /servicectl integrations webhook --apply/,
  },
  {
    says: 'a deployment before its provider has a key',
    change: { SERVICE_INTEGRATIONS_SECRET_KEY: undefined },
    check: 'integrations.variables',
    what: /SERVICE_INTEGRATIONS_SECRET_KEY is not set/,
    fix: /Environment Settings, API Keys.*deploy again/,
  },
  {
    says: 'the public key instead of the secret key',
    change: { SERVICE_INTEGRATIONS_SECRET_KEY: 'pk_prod_0123456789' },
    check: 'integrations.secret-key',
    what: /not a UUID v4/,
    fix: /not the public key/,
  },
  {
    says: 'a provider that is down',
    change: () => ({ SERVICE_INTEGRATIONS_URL: `http://127.0.0.1:${deadPort}` }),
    check: 'integrations.provider',
    what: /cannot be reached/,
    fix: /Start the provider, or correct SERVICE_INTEGRATIONS_URL/,
  },
  {
    says: 'a provider that is something else',
    change: async () => ({ SERVICE_INTEGRATIONS_URL: await answeringJson(404, {}) }),
    check: 'integrations.provider',
    what: /unlike the integration provider/,
    fix: /base URL/,
  },
  {
    says: 'a secret key of another environment',
    change: () => ({ ...provider(), SERVICE_INTEGRATIONS_SECRET_KEY: randomUUID() }),
    check: 'integrations.provider',
    what: /refuses SERVICE_INTEGRATIONS_SECRET_KEY/,
    fix: /prod environment/,
  },
  {
    says: 'a runtime with another webhook secret',
    change: { SERVICE_INTEGRATIONS_WEBHOOK_SECRET: 'not-the-one-it-runs-with' },
    check: 'integrations.webhook-secret',
    what: /another SERVICE_INTEGRATIONS_WEBHOOK_SECRET/,
    fix: /Start the api role again/,
  },
  {
    says: "a provider's webhook that points elsewhere",
    change: () => ({ SERVICE_INTEGRATIONS_DATABASE_URL: tables.url }),
    check: 'integrations.webhook',
    what: /primary_url is https:\/\/elsewhere\.test, not .*\/connect\/integrations\/webhook/,
    fix: /servicectl integrations webhook --apply/,
  },
  {
    says: "a provider's webhook without a signing key",
    change: () => ({ SERVICE_INTEGRATIONS_DATABASE_URL: tables.url }),
    check: 'integrations.webhook',
    what: /signing key is none/,
    fix: /webhook --apply/,
  },
  {
    says: "a provider's database without the provider's tables",
    change: () => ({ SERVICE_INTEGRATIONS_DATABASE_URL: inject('postgresUrl') }),
    check: 'integrations.webhook',
    what: /database cannot be read/,
    fix: /SERVICE_INTEGRATIONS_DATABASE_URL/,
  },
  {
    says: 'a callback without TLS',
    change: { ...PUBLIC, SERVICE_OAUTH_CALLBACK_URL: 'http://service.example.test' },
    check: 'integrations.callback',
    what: /not https/,
    fix: /https:\/\/service\.example\.test\/oauth\/callback/,
  },
  {
    says: 'a callback with a port',
    change: { ...PUBLIC, SERVICE_OAUTH_CALLBACK_URL: 'https://service.example.test:8443' },
    check: 'integrations.callback',
    what: /has a port/,
    fix: /https:\/\/service\.example\.test\/oauth\/callback/,
  },
  {
    says: 'a callback with a trailing slash',
    change: { SERVICE_OAUTH_CALLBACK_URL: 'https://service.example.test/oauth/callback/' },
    check: 'integrations.callback',
    level: 'warning',
    what: /ends with a slash/,
    fix: /SERVICE_OAUTH_CALLBACK_URL=https:\/\/service\.example\.test\/oauth\/callback$/,
  },
  {
    says: 'half of an OAuth app',
    change: { SERVICE_OAUTH_GITHUB_CLIENT_ID: 'id' },
    check: 'integrations.oauth-apps',
    what: /SERVICE_OAUTH_GITHUB_CLIENT_SECRET is not set/,
    fix: /reconcile --apply/,
  },
  {
    says: 'an OAuth app of no connector',
    change: { SERVICE_OAUTH_GITHUBB_CLIENT_ID: 'id', SERVICE_OAUTH_GITHUBB_CLIENT_SECRET: 's' },
    check: 'integrations.oauth-apps',
    level: 'warning',
    what: /no connector reads it/,
    fix: /connectors\.md/,
  },
  {
    says: "the provider's default password",
    change: { ...PUBLIC, NANGO_DASHBOARD_USERNAME: 'admin', NANGO_DASHBOARD_PASSWORD: 'admin' },
    check: 'integrations.defaults',
    what: /NANGO_DASHBOARD_PASSWORD is a default or short password/,
    fix: /NANGO_DASHBOARD_USERNAME and NANGO_DASHBOARD_PASSWORD/,
  },
  {
    says: 'a typed at-rest key of the provider',
    change: {
      ...PUBLIC,
      NANGO_ENCRYPTION_KEY: Buffer.from('a key that somebody typed by hand').subarray(0, 32).toString('base64'),
    },
    check: 'integrations.defaults',
    what: /NANGO_ENCRYPTION_KEY is a default or typed key/,
    fix: /openssl rand -base64 32/,
  },
  {
    says: "the provider's dashboard without a sign-in",
    change: async () => ({ SERVICE_INTEGRATIONS_URL: await answeringJson(200, {}) }),
    check: 'integrations.defaults',
    level: 'warning',
    what: /open without a sign-in/,
    fix: /NANGO_DASHBOARD_PASSWORD/,
  },
];

const own = (): Change => ({
  SERVICE_DEMO_PROVIDERS: undefined,
  OPENAI_API_URL: models.url,
  ANTHROPIC_API_URL: models.url,
});
const openId = (issuer: string): Change => ({
  SERVICE_OIDC_ISSUER: issuer,
  SERVICE_OIDC_CLIENT_ID: 'service',
  SERVICE_OIDC_CLIENT_SECRET: 'a-client-secret',
});
const MODELS: Broken[] = [
  {
    says: 'a provider key that is rejected',
    check: 'models.keys',
    what: /OpenAI does not accept OPENAI_API_KEY/,
    fix: /set OPENAI_API_KEY/,
    change: () => {
      models.answer = status(401);
      return { ...own(), OPENAI_API_KEY: 'sk-of-somebody-gone' };
    },
  },
  {
    says: "Anthropic's key in OpenAI's place",
    change: () => ({ ...own(), OPENAI_API_KEY: 'sk-ant-in-the-wrong-slot' }),
    check: 'models.keys',
    what: /holds a key of Anthropic/,
    fix: /Move it to ANTHROPIC_API_KEY/,
  },
  {
    says: 'a provider that cannot be reached',
    change: () => ({
      ...own(),
      ANTHROPIC_API_KEY: 'sk-ant-some-key',
      ANTHROPIC_API_URL: `http://127.0.0.1:${deadPort}`,
    }),
    check: 'models.keys',
    what: /Anthropic cannot be reached/,
    fix: /ANTHROPIC_API_URL/,
  },
  {
    says: 'demo providers on a public origin',
    change: { ...PUBLIC },
    check: 'models.keys',
    level: 'warning',
    what: /the demo ones/,
    fix: /OPENAI_API_KEY or ANTHROPIC_API_KEY/,
  },
  {
    says: 'a mail server that is down',
    change: () => ({ SERVICE_SMTP_URL: `smtp://127.0.0.1:${deadPort}` }),
    check: 'mail.server',
    what: /^the mail server did not answer/,
    fix: /SERVICE_SMTP_URL/,
  },
  {
    says: 'a mail server without a sender',
    change: { SERVICE_MAIL_FROM: '' },
    check: 'mail.server',
    what: /^SERVICE_SMTP_URL is set without SERVICE_MAIL_FROM/,
    fix: /SERVICE_MAIL_FROM/,
  },
  {
    says: 'mail that nobody takes',
    change: async () => {
      await db.query(
        `insert into :schema.mail (id, recipient, kind, language, ciphertext, iv, auth_tag, created_at, next_at)
         values ('mail_1', 'ada@example.test', 'invitation', 'en', '', '', '', now() - interval '5 hours', now())`,
      );
      return elsewhere();
    },
    check: 'mail.queue',
    what: /^1 mail waits, the oldest for 5 hours/,
    fix: /worker-control/,
  },
  {
    says: 'an OpenID provider without a client',
    change: { SERVICE_OIDC_ISSUER: 'https://id.example.org' },
    check: 'identity.openid',
    what: /^SERVICE_OIDC_ISSUER is set, but SERVICE_OIDC_CLIENT_ID is not/,
    fix: /Correct the variable/,
  },
  {
    says: 'an OpenID provider that is down',
    change: () => openId(`http://127.0.0.1:${deadPort}`),
    check: 'identity.provider',
    what: /^the OpenID provider does not answer/,
    fix: /Check the address/,
  },
  {
    says: 'a table of groups that names what does not exist',
    change: async () => {
      const SERVICE_OIDC_GROUPS = join(directory, 'groups.json');
      await writeFile(SERVICE_OIDC_GROUPS, JSON.stringify({ groups: [{ group: 'staff', organization: 'nowhere' }] }));
      return { ...openId(`http://127.0.0.1:${deadPort}`), SERVICE_OIDC_GROUPS };
    },
    check: 'identity.groups',
    level: 'warning',
    what: /names what does not exist: .*nowhere/,
    fix: /SERVICE_OIDC_GROUPS/,
  },
  {
    says: 'a schedule that nobody starts',
    change: () => withSchedule("now() - interval '1 hour'"),
    check: 'runs.schedules',
    what: /^1 schedule should have started a run more than five minutes ago/,
    fix: /api role/,
  },
  {
    says: 'a schedule whose person has left',
    change: async () => {
      const change = await withSchedule("now() + interval '1 day'");
      await db.query('delete from :schema.organization_member');
      return change;
    },
    check: 'runs.schedules',
    level: 'warning',
    what: /^1 schedule may no longer start anything/,
    fix: /can delete them/,
  },
  {
    says: 'a schedule whose runs were refused',
    change: async () => {
      const change = await withSchedule("now() + interval '1 day'");
      await db.query("update :schema.standing_run set paused_reason = 'refused', paused_at = now()");
      return change;
    },
    check: 'runs.schedules',
    level: 'warning',
    what: /^1 schedule paused after five refusals/,
    fix: /servicectl schedules firings/,
  },
  {
    says: 'a trigger whose address nothing passes on',
    change: async () => ({ ...(await withTrigger()), SERVICE_PUBLIC_URL: 'http://localhost:9' }),
    check: 'runs.triggers',
    what: /\/hooks does not lead to the runtime/,
    fix: /proxy/,
  },
  {
    says: 'a trigger whose runs were refused',
    change: async () => {
      const change = await withTrigger();
      await db.query("update :schema.standing_run set paused_reason = 'refused', paused_at = now()");
      return change;
    },
    check: 'runs.triggers',
    level: 'warning',
    what: /^1 trigger paused after five refusals/,
    fix: /servicectl triggers deliveries/,
  },
  {
    says: 'a trigger whose secret does not open',
    change: async () => {
      const change = await withTrigger();
      await db.query(
        `insert into :schema.trigger_secret (id, trigger_id, ciphertext, iv, auth_tag, created_at)
           values ('sec_x', 'trg_x', 'x', 'twelve bytes', 'sixteen bytes ok', now())`,
      );
      return change;
    },
    check: 'runs.triggers',
    what: /^1 secret of triggers does not open/,
    fix: /SERVICE_CONNECTION_ENCRYPTION_KEY_B64/,
  },
  {
    says: 'an identity provider that no longer comes',
    change: async () => {
      const { id } = await addOrganization(db, await addPerson(db));
      await db.query(
        `insert into :schema.scim_token (id, organization_id, digest, created_at, used_at)
         values ('scm_x', $1, 'sha256:x', now() - interval '30 days', now() - interval '20 days')`,
        [id],
      );
      return elsewhere();
    },
    check: 'identity.scim',
    level: 'warning',
    what: /was last used more than a week ago/,
    fix: /provisioning log/,
  },
  {
    says: 'a key-value store that is down',
    change: () => ({ SERVICE_KV_URL: `redis://127.0.0.1:${deadPort}` }),
    check: 'limits.store',
    what: /cannot be reached: nothing listens/,
    fix: /SERVICE_KV_URL/,
  },
  {
    says: 'a trace collector that is down',
    change: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${deadPort}` }),
    check: 'traces.collector',
    level: 'warning',
    what: /cannot be reached/,
    fix: /OTEL_EXPORTER_OTLP_ENDPOINT/,
  },
];

it(
  'finds nothing wrong with what npm start runs, and with its parts on their own',
  leaveOut(sandboxSkipReason),
  async () => {
    for (const environment of [{ SERVICE_DATA_DIR: stack.dataDirectory }, healthy]) {
      const { findings } = await diagnose(environment);
      expect(findings.filter(({ level }) => level === 'fault' || level === 'warning')).toEqual([]);
      expect(findings.filter(({ level }) => level === 'ok').length).toBeGreaterThan(30);
    }
  },
);

it(
  'finds nothing wrong in the environment of any one role, which is not given the secrets of the others',
  leaveOut(sandboxSkipReason),
  async () => {
    for (const role of RUNTIME_ROLES) {
      const own = Object.fromEntries(
        Object.entries(healthy).filter(
          ([name]) =>
            !(name in SECRET_READERS) ||
            (SECRET_READERS[name as SecretName] as readonly string[]).includes(`runtime-${role}`),
        ),
      );
      const { findings } = await diagnose({ ...own, SERVICE_PROCESS_ROLE: role });
      expect(
        findings.filter(({ level }) => level === 'fault' || level === 'warning'),
        role,
      ).toEqual([]);
      expect(findings, role).toContainEqual(
        expect.objectContaining({
          check: 'secrets.auth',
          level: 'notice',
          what: `not judged: the role ${role} is not given AUTH_SECRET`,
        }),
      );
    }
  },
);

it(
  'takes what the environment does not set from the bundle, and calls nothing broken for what only deployment files read',
  leaveOut(sandboxSkipReason),
  async () => {
    const bundle = join(directory, 'whole.env');
    const { SERVICE_DATA_DIR: _, ...whole } = healthy;
    await writeFile(
      bundle,
      Object.entries({ ...whole, SERVICE_DATABASE_PASSWORD: 'read-by-compose' })
        .flatMap(([name, value]) =>
          value === undefined || !(name in ENVIRONMENT_TABLE || name === 'SERVICE_DATABASE_PASSWORD')
            ? []
            : [`${name}=${value}\n`],
        )
        .join(''),
      { mode: 0o600 },
    );
    const { findings } = await diagnose({ DATA_DIR: undefined }, { bundle });
    expect(findings.filter(({ level }) => level === 'fault' || level === 'warning')).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'files.directory',
        level: 'notice',
        fix: expect.stringContaining('--data-dir'),
      }),
    );
    expect((await diagnose({ SERVICE_DATA_DIR: directory }, { bundle })).findings).toContainEqual(
      expect.objectContaining({ check: 'files.directory', level: 'ok' }),
    );
    expect((await diagnose({ AUTH_SECRET: 'change-me' }, { bundle })).findings).toContainEqual(
      expect.objectContaining({ check: 'secrets.placeholders', level: 'fault' }),
    );
  },
);

it('does not check integrations where the provider is off, the placeholder of its key included', async () => {
  const bundle = join(directory, 'without-provider.env');
  await writeFile(bundle, `${writeBundle()}SERVICE_INTEGRATIONS_URL=off\n`, { mode: 0o600 });
  const { SERVICE_INTEGRATIONS_SECRET_KEY: _, ...without } = healthy;
  const { findings } = await diagnose({ ...without, SERVICE_INTEGRATIONS_URL: 'off' }, { bundle, production: true });
  expect(
    findings.filter(
      ({ check, level }) =>
        /^integrations\.(?!callback)|^secrets\.(?:bundle|placeholders)/.test(check) &&
        level !== 'ok' &&
        level !== 'notice',
    ),
  ).toEqual([]);
});

it("finds a provider's database that is down also while the local integration provider runs", async () => {
  const database = `postgresql://nango_reader:secret@127.0.0.1:${deadPort}/nango`;
  const { findings } = await diagnose({
    SERVICE_DATA_DIR: stack.dataDirectory,
    SERVICE_INTEGRATIONS_DATABASE_URL: database,
  });
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'integrations.webhook',
      level: 'fault',
      what: expect.stringMatching(/provider's database cannot be read/),
    }),
  );
  const { findings: reachable } = await diagnose({
    SERVICE_DATA_DIR: stack.dataDirectory,
    SERVICE_INTEGRATIONS_DATABASE_URL: tables.url,
  });
  expect(reachable).toContainEqual(expect.objectContaining({ check: 'integrations.webhook', level: 'notice' }));
});

const MONEY: Broken[] = [
  {
    says: 'strangers who can spend',
    change: { ...PUBLIC, OPENAI_API_KEY: 'sk-of-the-deployment', SERVICE_SIGN_UP: 'open' },
    check: 'identity.entrance',
    level: 'warning',
    what: /anyone who signs up can spend/,
    fix: /SERVICE_SIGN_UP=invited/,
  },
  {
    says: 'platform credit that is nearly used up',
    change: async () => {
      await db.query(
        `insert into :schema.platform_month (month, spent) values (date_trunc('month', now() at time zone 'utc')::date, 9500000)`,
      );
      return { ...elsewhere(), OPENAI_API_KEY: 'sk-of-the-deployment', SERVICE_PLATFORM_MONTHLY_LIMIT_USD: '10' };
    },
    check: 'limits.platform',
    level: 'warning',
    what: /\$9\.50 of the \$10 of platform credit/,
    fix: /Raise SERVICE_PLATFORM_MONTHLY_LIMIT_USD/,
  },
];
const ROWS = [ENVIRONMENT, SECRETS, FILES, STORAGE, PARTS, GATEWAY, INTEGRATIONS, MODELS, MONEY].flat();
/** Broken by tests of their own below, which a row cannot. */
const APART = ['storage.clock', 'storage.notifications', 'secrets.bundle'];

it('the subject of every check is broken by a row or a test', () => {
  const broken = new Set([...ROWS.map(({ check }) => check), ...APART]);
  expect(Object.keys(CHECKS).filter((check) => !broken.has(check))).toEqual([]);
});

it('finds a pooler that loses notifications', needs('pgbouncer'), async () => {
  const pooler = await startPgbouncer(inject('postgresUrl'), ['ignore_startup_parameters = search_path,options']);
  const { findings } = await diagnose({ ...healthy, ...elsewhere(), SERVICE_UPSTREAM_DB: pooler.url });
  await pooler.stop();
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'storage.notifications',
      level: 'warning',
      what: expect.stringContaining('do not arrive'),
      fix: expect.stringContaining('session mode'),
    }),
  );
});

it('finds a clock that is off', async () => {
  const right = Date.now.bind(Date);
  const off = vi.spyOn(Date, 'now').mockImplementation(() => right() + 90_000);
  const { findings } = await diagnose(healthy).finally(() => off.mockRestore());
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'storage.clock', level: 'fault', what: expect.stringMatching(/\d+\.\d s apart/) }),
  );
});

describe.each([
  ['the environment', ENVIRONMENT],
  ['secrets', SECRETS],
  ['the data directory', FILES],
  ['storage', STORAGE],
  ['the parts', PARTS],
  ['the gateway', GATEWAY],
  ['the integration provider', INTEGRATIONS],
  ['what the service calls', MODELS],
  ['what others may spend', MONEY],
])('%s', (_, rows) => {
  it.each(rows)('finds $says', async ({ change, check, level = 'fault', what, fix }) => {
    const changed = typeof change === 'function' ? await change() : change;
    const environment = { ...healthy, ...changed };
    const { findings, worst } = await diagnose(environment);
    expect(findings.filter((finding) => finding.check === check)).toContainEqual({
      check,
      level,
      what: expect.stringMatching(what),
      why: expect.stringMatching(/\S/),
      fix: expect.stringMatching(fix),
    });
    expect(level === 'warning' ? ['warning', 'fault'] : ['fault']).toContain(worst);
    const said = JSON.stringify(findings);
    for (const [name, value] of Object.entries(environment))
      if (/SECRET|TOKEN|_KEY|PASSWORD/.test(name) && (value ?? '').length >= 8) expect(said).not.toContain(value);
    expect(said).not.toContain('a-wrong-password');
  });
});

it(
  'finds a gateway that shows private services to the network under the name localhost',
  needs('network'),
  async () => {
    const server = createServer(({ headers }, response) =>
      response.writeHead(headers.host === 'localhost' ? 200 : 404).end(),
    );
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const { findings } = await diagnose({
      ...healthy,
      SERVICE_GATEWAY_PORT: String((server.address() as AddressInfo).port),
    });
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'gateway.exposure',
        level: 'fault',
        what: expect.stringContaining('to anyone who sends Host: localhost'),
        fix: expect.stringContaining('SERVICE_GATEWAY_HOST=localhost'),
      }),
    );
  },
);

it('takes a key-value store that answers', needs('redis-server'), async () => {
  const redis = await startRedis();
  const { findings } = await diagnose({ ...healthy, SERVICE_KV_URL: redis.url });
  await redis.stop();
  expect(findings).toContainEqual({ check: 'limits.store', level: 'ok', what: 'the key-value store answers' });
});

it('looks at a secrets bundle as well', async () => {
  const bundle = join(directory, 'bundle.env');
  await writeFile(
    bundle,
    `AUTH_SECRET=x\nSERVICE_INTEGRATIONS_SECRET_KEY=pk_public\nBYOK_ENCRYPTION_KEY_B64=${WRONG_KEY}\nSERVICE_CONNECTION_ENCRYPTION_KEY_B64=${WRONG_KEY}\n`,
  );
  const { findings } = await diagnose(healthy, { bundle });
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'secrets.bundle',
      level: 'fault',
      what: expect.stringContaining('not a UUID v4'),
      fix: expect.stringContaining('servicectl bundle check'),
    }),
  );
});

it('says once what is down, and leaves out what depends on it', async () => {
  const { findings } = await diagnose({ ...healthy, SERVICE_UPSTREAM_DB: undefined });
  expect(findings.filter(({ level }) => level === 'skipped').map(({ check, what }) => [check, what])).toEqual([
    ['storage.server', 'skipped because of storage.reachable'],
    ['storage.clock', 'skipped because of storage.reachable'],
    ['storage.notifications', 'skipped because of storage.reachable'],
    ['storage.schema', 'skipped because of storage.reachable'],
    ['storage.checkpoints', 'skipped because of storage.schema'],
    ['storage.provider-keys', 'skipped because of storage.schema'],
    ['storage.connections', 'skipped because of storage.schema'],
    ['storage.responses', 'skipped because of storage.schema'],
    ['storage.environments', 'skipped because of storage.schema'],
    ['storage.chains', 'skipped because of storage.schema'],
    ['parts.roles', 'skipped because of storage.schema'],
    ['parts.clocks', 'skipped because of storage.schema'],
    ['parts.builds', 'skipped because of storage.schema'],
    ['mail.queue', 'skipped because of storage.schema'],
    ['runs.schedules', 'skipped because of storage.schema'],
    ['runs.triggers', 'skipped because of storage.schema'],
    ['identity.scim', 'skipped because of storage.schema'],
    ['identity.groups', 'skipped because of storage.schema'],
    ['limits.platform', 'skipped because of storage.schema'],
  ]);
  expect(findings).toContainEqual({ check: 'parts.web', level: 'ok', what: 'the web server answers' });
});

describe('servicectl doctor', () => {
  const run = (change: Change, args: string[] = []) =>
    servicectl(['doctor', ...args], {
      environment: Object.fromEntries(
        Object.entries({ ...change, HOME: directory }).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        ),
      ),
    });

  it('exits by the worst that it found', leaveOut(sandboxSkipReason), async () => {
    expect(await run({}, ['--data-dir', stack.dataDirectory])).toMatchObject({
      code: 0,
      stderr: 'All checks passed.\n',
    });
    expect(await run({ ...healthy, SERVICE_INTEGRATION_URL: 'x' })).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/nothing is broken, but 1 setting should be changed[\s\S]*→/),
    });
    expect(await run({ ...healthy, AUTH_SECRET: undefined })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/1 check failed[\s\S]*→ Fix them from the top/),
    });
  });

  it('prints one line per finding in a pipe, and one JSON value on request', async () => {
    const { stdout } = await run({ ...healthy, AUTH_SECRET: undefined });
    expect(stdout).toMatch(
      /^fault\tsecrets\.auth\tAUTH_SECRET is not set\t[^\t]+\tSet AUTH_SECRET to the output of: openssl rand -base64 32$/m,
    );
    expect(stdout).not.toContain('\u001B');
    expect(JSON.parse((await run({ ...healthy, AUTH_SECRET: undefined }, ['--json'])).stdout)).toMatchObject({
      ok: false,
      worst: 'fault',
      findings: expect.arrayContaining([expect.objectContaining({ check: 'secrets.auth', level: 'fault' })]),
    });
  });

  it('works with nothing there at all', async () => {
    const { code, stdout } = await run(
      {
        SERVICE_DATA_DIR: join(directory, 'gone'),
        SERVICE_GATEWAY_PORT: String(deadPort),
        SERVICE_WEB_PORT: String(deadPort),
        SERVICE_RUNTIME_PORT: String(deadPort),
        SERVICE_BROKER_PORT: String(deadPort),
      },
      ['--json'],
    );
    const { findings } = JSON.parse(stdout) as Diagnosis;
    expect(code).toBe(1);
    for (const check of [
      'secrets.auth',
      'files.directory',
      'storage.reachable',
      'parts.broker',
      'parts.runtime',
      'parts.web',
      'parts.sandbox',
      'gateway.reachable',
    ])
      expect(findings).toContainEqual(
        expect.objectContaining({ check, level: 'fault', fix: expect.stringMatching(/\S/) }),
      );
  });

  it('shows areas, marks and ways to fix on a terminal', needs('terminal'), async () => {
    const { code, stdout } = await startOnTerminal(['doctor', '--data-dir', stack.dataDirectory], {
      environment: { HOME: directory, AUTH_SECRET: 'change-me' },
    }).ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /Secrets[\s\S]*✗[\s\S]*AUTH_SECRET is still a placeholder\r?\n[\s\S]*→ Replace it[\s\S]*Storage[\s\S]*✓[\s\S]*PostgreSQL answers/,
    );
  });
});
