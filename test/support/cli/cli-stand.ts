// The commands of servicectl, run in this process against a canned service, with a home directory of their own.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Credentials, type StoredAccount, writeCredentials } from '../../../cli/credentials.ts';
import { run } from '../../../cli/run.ts';
import { type CannedRequest, type CannedRoutes, type CannedService, startCannedService } from './canned-service.ts';

export interface CliStand {
  /** Of the canned service. */
  readonly url: string;
  /** The directory of the test, also the configuration directory. */
  readonly directory: string;
  serve(routes: CannedRoutes): void;
  requests(): readonly CannedRequest[];
  servicectl(args: readonly string[], given?: Given): Promise<Ran>;
  credentials(): Promise<Credentials>;
}

interface Given {
  readonly input?: string;
  readonly environment?: Record<string, string>;
  /** Standard output is a terminal of this width. */
  readonly columns?: number;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the stored connect token says of itself; its signature is for the service. */
export const TOKEN = ['header', encode({ sub: 'usr_1', org: 'org_1', scope: 'chat jobs:read' }), 'signature'].join('.');

export const ACCOUNT: Omit<StoredAccount, 'url'> = {
  session: 'the-session',
  token: TOKEN,
  tokenId: 'tok_1',
  expiresAt: '2030-01-01T00:00:00.000Z',
  email: 'ada@example.test',
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
};

/** Signed in before each test; requests and answers are checked against the contract after it. */
export function useCliStand(): CliStand {
  let service: CannedService;
  let directory = '';
  beforeAll(async () => {
    service = await startCannedService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'servicectl-'));
    service.serve({});
    await writeCredentials(directory, { accounts: [{ url: service.url, ...ACCOUNT }] });
  });
  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
    service.check();
  });
  return {
    get url() {
      return service.url;
    },
    get directory() {
      return directory;
    },
    serve: (routes) => service.serve(routes),
    requests: () => service.requests,
    async servicectl(args, { input = '', environment = {}, columns } = {}) {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
      stdin.end(input);
      if (columns !== undefined) Object.assign(stdout, { isTTY: true, columns });
      const host = { environment: { SERVICECTL_CONFIG_DIR: directory, ...environment }, stdin, stdout, stderr };
      const code = await run(args, host);
      return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
    },
    credentials: async () => JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8')) as Credentials,
  };
}

function encode(claims: object): string {
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}
