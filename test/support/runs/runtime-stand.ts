// A broker and the roles of the runtime as real processes, as they are shipped, on a schema of their own. What a run does
// is what its objective says: see told-model.ts.
import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { SCOPES, type Scope } from '../../../src/contract/tokens.ts';
import type { Database } from '../../../src/store/database.ts';
import { mintToken } from '../../../src/tenancy/tokens/mint-token.ts';
import { builtEntry } from '../built-entry.ts';
import { openTestDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import type { Body } from '../http-client.ts';
import { addOrganization, addPerson, type Person, type TestOrganization } from '../people.ts';
import { poll } from '../poll.ts';
import { startToldModel } from '../models/told-model.ts';
import { startUnconfinedSandbox } from './unconfined-sandbox.ts';
import { type Program, startProgram } from '../watch-process.ts';

const SECRET = 'connect secret of the runtime tests';
export const DEBUG_TOKEN = 'debug-token-of-the-runtime-tests';
const KEY = createSecretKey(Buffer.from(SECRET));

export type Part = 'broker' | 'web' | 'gateway' | 'api' | 'driver' | 'worker-chat' | 'worker-control' | 'worker-codex';

/** Processes that are not a role of the runtime, and what they log once they serve. */
const OTHER_PARTS = {
  broker: 'broker is listening',
  web: 'web server is listening',
  gateway: 'listening',
} as const satisfies Partial<Record<Part, string>>;

export interface Answered {
  readonly status: number;
  readonly body: Body;
}

export interface RuntimeStand {
  readonly url: string;
  /** Where the web server is listening once it is started. */
  readonly webUrl: string;
  /** Where the gateway listens once it is started. */
  readonly gatewayUrl: string;
  readonly brokerUrl: string;
  readonly sandboxUrl: string;
  readonly db: Database;
  readonly directory: string;
  readonly owner: Person;
  readonly organization: TestOrganization;
  readonly token: string;
  /** `within` is a command that runs it, `dist` a build other than this one. */
  start(
    part: Part,
    options?: { environment?: Record<string, string>; dist?: string; within?: readonly string[] },
  ): Promise<Program>;
  mint(person: Person, organizationId: string, scopes?: Scope[], workspaceId?: string): Promise<string>;
  request(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answered>;
  /** Starts a run; answers its id. */
  run(objective: string, more?: Record<string, unknown>): Promise<string>;
  /** The run once it has one of these statuses. */
  until(id: string, ...statuses: string[]): Promise<Body>;
  /** Lets runs go on that were told to wait. */
  release(): void;
  close(): Promise<void>;
}

/** Starting runs and waiting for them. */
export type Runs = Pick<RuntimeStand, 'run' | 'until'>;

export function runsOf(ask: (method: string, path: string, body?: unknown) => Promise<Answered>): Runs {
  return {
    async run(objective, more = {}) {
      const { status, body } = await ask('POST', '/agents/factory/jobs', { objective, ...more });
      if (status !== 202) throw new Error(`starting a run answered ${status}: ${JSON.stringify(body)}`);
      return body.job.id;
    },
    until: (id, ...statuses) =>
      poll(async () => {
        const { body } = await ask('GET', `/jobs/${id}`).catch(() => ({ body: {} as Body }));
        return statuses.includes(body.job?.status) && body.job;
      }),
  };
}

export async function openRuntimeStand(options: { own?: { url: string; db: Database } } = {}): Promise<RuntimeStand> {
  const db = options.own?.db ?? (await openTestDatabase({ poolMax: 4 }));
  const directory = await mkdtemp(join(tmpdir(), 'service-runtime-'));
  const [port, brokerPort, webPort, gatewayPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const url = `http://127.0.0.1:${port}`;
  const owner = await addPerson(db, 'owner');
  const organization = await addOrganization(db, owner);
  const processes: Program[] = [];
  const [model, sandbox] = await Promise.all([startToldModel(), startUnconfinedSandbox()]);
  const environment = {
    ...model.environment,
    ...sandbox.environment,
    SERVICE_UPSTREAM_DB: options.own?.url ?? inject('postgresUrl'),
    SERVICE_DB_SCHEMA: db.schema,
    SERVICE_DATA_DIR: directory,
    SERVICE_RUNTIME_PORT: String(port),
    SERVICE_WEB_PORT: String(webPort),
    SERVICE_GATEWAY_PORT: String(gatewayPort),
    AUTH_SECRET: SECRET,
    SERVICE_BROKER_PORT: String(brokerPort),
    SERVICE_BROKER_URL: `http://127.0.0.1:${brokerPort}`,
    SERVICE_BROKER_TOKEN: 'broker-token-of-the-runtime-tests',
    SERVICE_CONNECT_JWT_SECRET: SECRET,
    SERVICE_DEBUG_TOKEN: DEBUG_TOKEN,
    // One person starts all runs of a test.
    SERVICE_RUNS_QUEUED_PER_PERSON: '100000',
  };
  const mint: RuntimeStand['mint'] = async (person, organizationId, scopes = [...SCOPES], workspaceId) =>
    (
      await mintToken(
        { db, key: KEY, clock: systemClock },
        { userId: person.id, organizationId, workspaceId, scopes, lifetimeSeconds: 3_600 },
      )
    ).token;
  const token = await mint(owner, organization.id);

  const request: RuntimeStand['request'] = async (method, path, { token: bearer = token, body, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };

  return {
    url,
    webUrl: `http://127.0.0.1:${webPort}`,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    brokerUrl: `http://127.0.0.1:${brokerPort}`,
    sandboxUrl: sandbox.environment.SERVICE_SANDBOX_URL,
    db,
    directory,
    owner,
    organization,
    token,
    mint,
    async start(part, { environment: more = {}, dist, within = [] } = {}) {
      const entry = builtEntry(part in OTHER_PARTS ? part : 'runtime', dist);
      const one = startProgram([...within, process.execPath, '--disable-warning=ExperimentalWarning', entry], {
        ...environment,
        SERVICE_PROCESS_ROLE: part,
        ...more,
      });
      processes.push(one);
      await one.said((OTHER_PARTS as Record<string, string>)[part] ?? '"running"');
      return one;
    },
    request,
    release: model.release,
    ...runsOf((method, path, body) => request(method, path, { body })),
    async close() {
      await Promise.all(processes.map((one) => one.stop('SIGKILL')));
      await Promise.all([model.close(), sandbox.close(), db.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
