// A real Chromium in front of the real stack. Debian's build is used, because it exists for every platform we run on.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { getProgram } from '../../../scripts/test-programs.ts';
import { needs } from '../needs.ts';
import { WIDE } from './screen.ts';
import { askForSharedStack, PLAIN, type SharedStack } from '../stack/shared-stack.ts';
import { startStack, type TestStack } from '../stack/stack.ts';

/** A host that is not a loopback one, for the browser alone: how a deployment for others is addressed. */
export const HOSTED_NAME = 'app.example.test';
// Without its own sandbox, which root and machines without user namespaces cannot have; it opens our pages alone.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${HOSTED_NAME} 127.0.0.1`,
];
const ACTION_TIMEOUT_MS = 20_000;
const PASSWORD = 'correct horse battery';

/** A suite that needs a browser. */
export function describeInBrowser(name: string, suite: () => void): void {
  // oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- both are the caller's
  describe(name, needs('chromium-headless-shell'), suite);
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: getProgram('chromium-headless-shell'), args: FLAGS });
}

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** A person at their own browser profile: cookies and storage are theirs alone. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** A call of the API with the visitor's session, as the app itself would make it. */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
}

export interface WebAppUnderTest {
  readonly url: string;
  /** The page that shows what would have been sent. */
  readonly mailboxUrl: string;
  newPerson(name: string): Person;
  /** A visitor who is not signed in. */
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  /** A visitor with an account and a session. */
  visitSignedIn(person: Person, options?: BrowserContextOptions): Promise<Visitor>;
  /** Where the stack keeps everything. */
  readonly database: { readonly url: string; readonly schema: string };
  readonly dataDirectory: string;
  /** Runs a statement in the stack's own schema. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Kills a process of a stack of one's own, which starts it again. */
  kill(part: 'web'): Promise<void>;
  close(): Promise<void>;
}

export interface WebAppOptions {
  /** With the local integration provider. */
  readonly integrations?: true;
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The stack that browser tests share, or one of its own with these settings. */
export async function openWebApp(options?: WebAppOptions): Promise<WebAppUnderTest> {
  const [stack, browser] = await Promise.all([options ? startOwn(options) : findShared(), launchChromium()]);
  const visit = (options?: BrowserContextOptions): Promise<Visitor> => newVisitor(browser, stack, options);
  return {
    url: stack.url,
    mailboxUrl: stack.mailboxUrl,
    database: { url: stack.databaseUrl, schema: stack.schema },
    dataDirectory: stack.dataDirectory,
    newPerson: (name) => ({
      name,
      email: `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}@example.test`,
      password: PASSWORD,
    }),
    visit,
    async visitSignedIn(person, options) {
      const visitor = await visit(options);
      await visitor.call('POST', '/api/auth/sign-up/email', person);
      return visitor;
    },
    async query(sql, values) {
      const client = new pg.Client({ connectionString: stack.databaseUrl });
      await client.connect();
      try {
        await client.query(`set search_path to ${pg.escapeIdentifier(stack.schema)}`);
        return (await client.query<Record<string, unknown>>(sql, values)).rows;
      } finally {
        await client.end();
      }
    },
    async kill(part) {
      const pid = (await stack.state?.())?.parts[part]?.pid;
      if (pid === undefined) throw new Error('only a stack of its own can lose a process');
      process.kill(pid, 'SIGKILL');
    },
    async close() {
      await browser.close();
      await stack.stop();
    },
  };
}

type StackUnderTest = SharedStack & { stop(): Promise<unknown>; state?: TestStack['state'] };

const findShared = async (): Promise<StackUnderTest> => ({
  ...(await askForSharedStack(inject('sharedStackUrl'))),
  stop: async () => {},
});

function startOwn({ integrations, port, environment }: WebAppOptions): Promise<StackUnderTest> {
  const { SERVICE_INTEGRATIONS_URL, ...always } = PLAIN;
  return startStack({
    ...(port === undefined ? {} : { port }),
    environment: { ...always, ...(integrations ? {} : { SERVICE_INTEGRATIONS_URL }), ...environment },
  });
}

async function newVisitor(
  browser: Browser,
  { url }: SharedStack,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: WIDE,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  // A worker would hide requests from tests that answer them; the test of the worker allows it.
  if (options.serviceWorkers !== 'allow') await context.addInitScript('delete Navigator.prototype.serviceWorker');
  return {
    context,
    page: await context.newPage(),
    async call<T>(method: string, path: string, body?: unknown) {
      const answer = await context.request.fetch(path, {
        method,
        headers: { origin: url },
        ...(body === undefined ? {} : { data: body }),
      });
      if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
      return (await answer.json()) as T;
    },
  };
}

export interface OrganizationUnderTest {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export async function createOrganization(visitor: Visitor, name: string): Promise<OrganizationUnderTest> {
  return (await visitor.call<{ organization: OrganizationUnderTest }>('POST', '/api/organizations', { name }))
    .organization;
}

export interface OwnersApp {
  readonly app: WebAppUnderTest;
  readonly owner: Visitor;
  readonly organization: OrganizationUnderTest;
  /** The owner's. */
  readonly page: Page;
}

/** Opens the app before the tests of a suite, with the owner of a new organization at it, and closes it after them. */
export function openAsOwner(
  person: string,
  organization: string,
  use: (at: OwnersApp) => unknown,
  options?: WebAppOptions,
): void {
  let app: WebAppUnderTest | undefined;
  beforeAll(async () => {
    app = await openWebApp(options);
    const owner = await app.visitSignedIn(app.newPerson(person));
    await use({ app, owner, organization: await createOrganization(owner, organization), page: owner.page });
  });
  afterAll(() => app?.close());
}

export async function createWorkspace(
  visitor: Visitor,
  { id }: OrganizationUnderTest,
  name: string,
): Promise<{ id: string; slug: string }> {
  return (
    await visitor.call<{ workspace: { id: string; slug: string } }>('POST', `/api/organizations/${id}/workspaces`, {
      name,
    })
  ).workspace;
}

/**
 * Requests that fail until "Try again" is pressed on a page that is opened after this. The app also asks again by itself:
 * an answer that only had to come later would take the button away before it is pressed.
 */
export async function failUntilPressed(page: Page, path: string | RegExp, status: number): Promise<void> {
  await page.addInitScript(
    `addEventListener('click', ({ target }) => { window.pressed ||= target.closest('button')?.textContent === 'Try again'; }, true)`,
  );
  await page.route(path, async (route) =>
    (await page.evaluate<boolean>('window.pressed === true'))
      ? route.continue()
      : route.fulfill({ status, json: { ok: false, error: status === 404 ? 'not_found' : 'internal' } }),
  );
}

/** Waits for the page's heading, which is there once its code has loaded and its address is settled. */
export async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}
