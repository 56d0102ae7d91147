// Pictures of the product for docs/images, light and dark, from a stack of its own with a little life in it:
//   npm run build && node scripts/screenshots.ts [name …]
// A page that this version does not have is left out, and says so; the pictures of before stay.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../test/support/browser/browser.ts';
import { startStack } from '../test/support/stack/stack.ts';

interface Scene {
  readonly name: string;
  readonly path: string;
  /** The tab that the address opens; a version without it shows another one. */
  readonly tab?: string;
  /** What must be on the page before it is taken. */
  readonly ready?: (page: Page) => Promise<unknown>;
}

const IMAGES = join(import.meta.dirname, '..', 'docs', 'images');
const SIZE = { width: 1280, height: 800 };
const LARGEST_BYTES = 250 * 1024;
const PROJECT = 'Support handbook';
const QUESTION = 'Make a list and a table of what you can do, in markdown';

const FEEDBACK = 'The table answers exactly what I asked.';
/** A chat of LibreChat, as it exports one. */
const EXPORTED = {
  conversationId: '4b1f9a52-0000-4000-8000-000000000001',
  endpoint: 'openAI',
  title: 'Names for a release',
  options: { model: 'gpt-4o' },
  messages: [
    {
      messageId: 'one',
      parentMessageId: '00000000-0000-0000-0000-000000000000',
      isCreatedByUser: true,
      text: 'Suggest a name for the release.',
      createdAt: '2026-05-04T09:00:00.000Z',
    },
    {
      messageId: 'two',
      parentMessageId: 'one',
      isCreatedByUser: false,
      text: 'Call it Spring.',
      createdAt: '2026-05-04T09:00:05.000Z',
    },
  ],
};

const settings = (page: string): string => `/organization/settings/${page}`;
const SCENES: readonly Scene[] = [
  { name: 'sign-in', path: '/sign-in' },
  {
    name: 'chat',
    path: '/chat',
    ready: (page) =>
      page
        .locator('nav[aria-label="Chats"] a[href*="/chat/"]')
        .first()
        .click()
        .then(() => page.getByRole('button', { name: 'Try again' }).last().waitFor()),
  },
  {
    name: 'project',
    path: '/projects',
    ready: (page) =>
      page
        .getByRole('main')
        .getByRole('link', { name: PROJECT, exact: true })
        .click()
        .then(() => page.getByText('Ready', { exact: true }).first().waitFor()),
  },
  { name: 'prompts', path: '/prompts', ready: (page) => page.getByText('/release-notes').first().waitFor() },
  { name: 'runs', path: '/runs' },
  {
    name: 'run',
    path: '/runs',
    ready: (page) =>
      page
        .getByRole('main')
        .getByRole('link', { name: /Count the files/ })
        .first()
        .click()
        .then(() => page.getByText('answer.md').first().waitFor()),
  },
  { name: 'integrations', path: '/integrations' },
  { name: 'mcp-gateway', path: '/workspaces/default/mcp-gateway' },
  { name: 'mcp-gateway-connections', path: '/workspaces/default/mcp-gateway?tab=connections', tab: 'Connections' },
  {
    name: 'receipts',
    path: '/receipts',
    ready: (page) =>
      page
        .getByText(/You called/)
        .first()
        .waitFor(),
  },
  { name: 'byok', path: settings('byok') },
  { name: 'models', path: settings('models') },
  { name: 'plan', path: settings('plan') },
  {
    name: 'spending',
    path: settings('spending'),
    ready: (page) => page.getByRole('cell', { name: 'Ada Brook' }).waitFor(),
  },
  {
    name: 'feedback',
    path: settings('feedback'),
    ready: (page) => page.getByText(FEEDBACK).waitFor(),
  },
  {
    name: 'import',
    path: '/imports',
    ready: (page) =>
      page
        .getByRole('main')
        .getByRole('link', { name: 'conversations.json' })
        .click()
        .then(() => page.getByText(EXPORTED.title).waitFor()),
  },
  { name: 'account', path: '/account' },
  { name: 'api-reference', path: '/docs/api' },
  { name: 'dashboard', path: '/runtime/runtime' },
];

const wanted = process.argv.slice(2);
const stack = await startStack({ environment: { SERVICE_LOG_LEVEL: 'error' } });
const browser = await launchChromium();
try {
  await mkdir(IMAGES, { recursive: true });
  const context = await browser.newContext({ baseURL: stack.url, viewport: SIZE, reducedMotion: 'reduce' });
  context.setDefaultTimeout(20_000);
  await bringToLife(context);
  for (const scene of SCENES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    await take(
      scene.name === 'sign-in' ? await browser.newContext({ baseURL: stack.url, viewport: SIZE }) : context,
      scene,
    );
} finally {
  await browser.close();
  await stack.stop();
}

async function take(context: BrowserContext, { name, path, tab, ready }: Scene): Promise<void> {
  const page = await context.newPage();
  try {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    if (await page.getByRole('heading', { name: 'Page not found' }).isVisible())
      return say(`${name}: this version has no ${path}`);
    if (tab !== undefined && (await page.getByRole('tab', { name: tab }).count()) === 0)
      return say(`${name}: this version has no tab ${tab}`);
    await ready?.(page);
    await page.getByText('Loading…').or(page.getByLabel('Loading…')).first().waitFor({ state: 'hidden' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const file = join(IMAGES, colorScheme === 'light' ? `${name}.png` : `${name}-dark.png`);
      await page.screenshot({ path: file, caret: 'hide', animations: 'disabled' });
      const { size } = await stat(file);
      say(`${name}, ${colorScheme}: ${Math.round(size / 1024)} kB`);
      if (size > LARGEST_BYTES) throw new Error(`${file} has ${size} bytes: too many for a repository`);
    }
  } catch (error) {
    say(`${name}: left out: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    process.exitCode = 1;
  } finally {
    await page.close();
  }
}

/** A person, an organization, a workspace, an answer, a connected app, calls that left receipts, a token, a run. */
async function bringToLife(context: BrowserContext): Promise<void> {
  const call = async <T>(method: string, path: string, data?: unknown, token?: string): Promise<T> => {
    const answer = await context.request.fetch(path, {
      method,
      headers: { origin: stack.url, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(data === undefined ? {} : { data }),
    });
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
    const text = await answer.text();
    return (text.startsWith('{') ? JSON.parse(text) : text) as T;
  };
  await call('POST', '/api/auth/sign-up/email', {
    name: 'Ada Brook',
    email: 'ada@example.org',
    password: 'correct horse battery',
  });
  const { organization } = await call<{ organization: { id: string } }>('POST', '/api/organizations', { name: 'Acme' });
  await call('POST', `/api/organizations/${organization.id}/workspaces`, { name: 'Research' });
  await call('POST', '/api/tokens', {
    name: 'laptop',
    organization: organization.id,
    scopes: ['connect:read', 'chat'],
    expiresIn: 90 * 86_400,
  });
  const { token } = await call<{ token: string }>('POST', '/api/tokens', {
    organization: organization.id,
    scopes: ['connect:read', 'connect:write', 'jobs:write', 'chat'],
  });

  const { connectLink } = await call<{ connectLink: string }>(
    'POST',
    '/connect/sessions',
    { provider: 'github' },
    token,
  );
  const page = await context.newPage();
  await page.goto(connectLink);
  await page.getByRole('button', { name: 'Continue to GitHub' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'GitHub is connected' }).waitFor();
  await page.close();

  for (const tool of ['list-repositories', 'get-authenticated-user', 'list-repositories'])
    await call('POST', '/connect/call', { connection: 'github', tool }, token).catch(() => {});
  await call(
    'POST',
    '/runtime/agents/factory/jobs',
    { objective: 'Count the files of the workspace and write what you find to artifacts/answer.md' },
    token,
  );
  await call('POST', '/api/chat', {
    organization: organization.id,
    model: 'service/auto',
    message: { text: QUESTION },
  });
  await rateTheAnswer(call, organization.id);
  await importAChat(context, call, organization.id);
  await call('POST', '/api/prompts', {
    organization: organization.id,
    name: 'release-notes',
    text: 'Write release notes for {{version}} in a {{tone:friendly}} tone:\n\n{{changes}}',
  });
  const { project } = await call<{ project: { id: string } }>('POST', '/api/projects', {
    organization: organization.id,
    name: PROJECT,
    description: 'How we answer customers',
    instructions: 'Answer in two sentences. Quote the handbook where it has the answer.',
  });
  const added = await context.request.post(`/api/projects/${project.id}/files`, {
    headers: { origin: stack.url },
    multipart: {
      file: {
        name: 'refunds.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Refunds\n\nRefunds are paid within five days to the card that was charged.\n'),
      },
    },
  });
  if (!added.ok()) throw new Error(`adding a file answered ${added.status()}: ${await added.text()}`);
}

type Call = <T>(method: string, path: string, data?: unknown) => Promise<T>;

async function rateTheAnswer(call: Call, organization: string): Promise<void> {
  const { threads } = await call<{ threads: { id: string }[] }>('GET', `/api/threads?organization=${organization}`);
  const id = threads[0]?.id ?? '';
  const { thread } = await call<{ thread: { messages: { id: string; role: string }[] } }>('GET', `/api/threads/${id}`);
  const answer = thread.messages.find(({ role }) => role === 'assistant')?.id ?? '';
  await call('PUT', `/api/threads/${id}/messages/${answer}/feedback`, { rating: 'up', reason: FEEDBACK });
}

async function importAChat(context: BrowserContext, call: Call, organization: string): Promise<void> {
  const file = Buffer.from(JSON.stringify(EXPORTED));
  const wanted = { organization, name: 'conversations.json', size: file.length };
  const { import: made } = await call<{ import: { id: string } }>('POST', '/api/imports', wanted);
  const headers = { origin: stack.url, 'content-type': 'application/octet-stream' };
  const sent = await context.request.put(`/api/imports/${made.id}/parts/0`, { headers, data: file });
  if (!sent.ok()) throw new Error(`sending an export answered ${sent.status()}: ${await sent.text()}`);
  await call('POST', `/api/imports/${made.id}/start`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
