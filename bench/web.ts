// The web app in a real browser on the real stack: what a first visit loads, how a thread of a thousand messages
// scrolls, and what a very long paste does to the composer. Sizes have limits; times are printed for the reader.
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { newId } from '../src/base/ids.ts';
import { startStack, type TestStack } from '../test/support/stack.ts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const LIMITS_KB = { 'sign-in': 250, chat: 450 } as const;
const MESSAGES = 1_000;
const PASTE_CHARS = 1_000_000;
const SCROLL_FRAMES = 300;
/** What a quick turn of the wheel moves in a frame. */
const SCROLL_STEP_PX = 120;
/** Two frames at 60 a second: what an eye begins to notice. */
const SLOW_FRAME_MS = 34;
/** What the browser itself calls a long task. */
const LONG_TASK_MS = 50;

export async function bench(report: (line: string) => void): Promise<void> {
  const [stack, browser] = await Promise.all([
    startStack({ environment: { SERVICE_LOG_LEVEL: 'error', SERVICE_INTEGRATIONS_URL: 'off' } }),
    chromium.launch({ executablePath: CHROMIUM, args: FLAGS }),
  ]);
  try {
    report('JavaScript of a first visit, gzipped');
    const stranger = await browser.newContext({ baseURL: stack.url });
    await reportLoad(report, stranger, 'sign-in', '/sign-in', 'Email');
    const person = await browser.newContext({ baseURL: stack.url, viewport: { width: 1280, height: 800 } });
    const { user, organization } = await signUp(person, stack.url);
    await reportLoad(report, person, 'chat', '/chat', 'Message');

    const threadId = await fillThread(stack, user, organization);
    await reportScrolling(report, await person.newPage(), threadId);
    await reportPaste(report, await person.newPage());
  } finally {
    await browser.close();
    await stack.stop();
  }
}

async function signUp(
  context: BrowserContext,
  origin: string,
): Promise<{ user: string; organization: { id: string; workspace: string } }> {
  const post = async <T>(path: string, data: unknown): Promise<T> =>
    (await (await context.request.post(path, { headers: { origin }, data })).json()) as T;
  const { user } = await post<{ user: { id: string } }>('/api/auth/sign-up/email', {
    name: 'Bench',
    email: 'bench@example.test',
    password: 'correct horse battery',
  });
  const made = await post<{ organization: { id: string }; workspaces: { default: { id: string } } }>(
    '/api/organizations',
    { name: 'Bench' },
  );
  return { user: user.id, organization: { id: made.organization.id, workspace: made.workspaces.default.id } };
}

async function reportLoad(
  report: (line: string) => void,
  context: BrowserContext,
  name: keyof typeof LIMITS_KB,
  path: string,
  field: string,
): Promise<void> {
  const page = await context.newPage();
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (/javascript/.test(response.headers()['content-type'] ?? '')) scripts.push(response.body());
  });
  const startedAt = performance.now();
  await page.goto(path);
  await page.getByRole('textbox', { name: field }).waitFor();
  const ms = performance.now() - startedAt;
  await page.waitForLoadState('load');
  const bodies = await Promise.all(scripts);
  const kilobytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / 1000;
  report(
    `  ${name.padEnd(8)} ${kilobytes.toFixed(0).padStart(4)} kB in ${String(bodies.length).padStart(2)} files, at most ${LIMITS_KB[name]} kB: ${kilobytes <= LIMITS_KB[name] ? 'held' : 'MISSED'}; usable after ${ms.toFixed(0)} ms`,
  );
  await page.close();
}

async function fillThread(
  { databaseUrl, schema }: TestStack,
  user: string,
  { id, workspace }: { id: string; workspace: string },
): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`set search_path to ${pg.escapeIdentifier(schema)}`);
    const threadId = newId('thr');
    await client.query(
      "insert into chat_thread (id, organization_id, workspace_id, user_id, title, title_from, messages) values ($1, $2, $3, $4, 'A long thread', 'person', $5)",
      [threadId, id, workspace, user, MESSAGES],
    );
    for (let position = 0; position < MESSAGES; position++) {
      const asks = position % 2 === 0;
      const text = asks
        ? `Question ${position}`
        : `## Answer ${position}\n\nSome **words** and a list:\n\n- one\n- two\n\n\`\`\`ts\nconst answer = ${position};\nconsole.log(answer);\n\`\`\`\n\n${'A sentence that fills the line with words. '.repeat(8)}`;
      const metadata = asks
        ? {}
        : {
            model: 'openai/gpt-5-mini',
            provider: 'openai',
            credential: 'platform',
            inputTokens: 10,
            outputTokens: 100,
            cost: 0.001,
            finish: 'stop',
          };
      await client.query(
        'insert into chat_message (thread_id, position, id, role, parts, metadata) values ($1, $2, $3, $4, $5, $6)',
        [
          threadId,
          position,
          newId('msg'),
          asks ? 'user' : 'assistant',
          JSON.stringify([{ type: 'text', text }]),
          metadata,
        ],
      );
    }
    return threadId;
  } finally {
    await client.end();
  }
}

/** Loads the whole thread page by page, then scrolls through it from the middle. */
async function reportScrolling(report: (line: string) => void, page: Page, threadId: string): Promise<void> {
  const startedAt = performance.now();
  await page.goto(`/chat/${threadId}`);
  await page.locator('[data-message]').last().waitFor();
  const shownMs = performance.now() - startedAt;
  for (let tries = 0; tries < 200 && (await page.locator('[data-message]').count()) < MESSAGES; tries++) {
    await page.evaluate(
      "new Promise((resolve) => { const box = document.querySelector('.chat-scroll'); box.scrollTop = 600; requestAnimationFrame(() => { box.scrollTop = 0; requestAnimationFrame(resolve); }); })",
    );
    await page.waitForTimeout(100);
  }
  const loaded = await page.locator('[data-message]').count();
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const box = document.querySelector('.chat-scroll');
    box.scrollTop = box.scrollHeight / 2;
    const times = [];
    let frame = 0, last = performance.now();
    const next = (now) => {
      times.push(now - last); last = now;
      if (frame++ === ${SCROLL_FRAMES}) return resolve(times.slice(2));
      box.scrollTop += ${SCROLL_STEP_PX};
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  report(`a thread of ${MESSAGES} messages`);
  report(`  its end is shown after ${shownMs.toFixed(0)} ms; ${loaded} loaded by scrolling up`);
  report(
    `  scrolled by ${SCROLL_STEP_PX} px a frame: a frame takes ${at(0.5).toFixed(1)} ms (median), ${at(0.95).toFixed(1)} ms (p95), ${(sorted.at(-1) ?? 0).toFixed(1)} ms (worst); ${frames.filter((ms) => ms > SLOW_FRAME_MS).length} of ${frames.length} over ${SLOW_FRAME_MS} ms`,
  );
  await page.close();
}

async function reportPaste(report: (line: string) => void, page: Page): Promise<void> {
  await page.goto('/chat');
  const prompt = page.getByRole('textbox', { name: 'Message' });
  await prompt.waitFor();
  await prompt.focus();
  const pasted = await page.evaluate<{ handledMs: number; worstMs: number; long: number }>(`new Promise((resolve) => {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
    const data = new DataTransfer();
    data.setData('text/plain', 'word '.repeat(${PASTE_CHARS / 5}));
    const field = document.activeElement;
    const startedAt = performance.now();
    const taken = !field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    if (!taken) document.execCommand('insertText', false, data.getData('text/plain'));
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const handledMs = performance.now() - startedAt;
      setTimeout(() => resolve({ handledMs, worstMs: Math.max(0, ...tasks), long: tasks.length }), 1500);
    }));
  })`);
  const startedAt = performance.now();
  await page.keyboard.type('x');
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  report(`a paste of ${PASTE_CHARS / 1_000_000} MB into the composer`);
  report(
    `  drawn after ${pasted.handledMs.toFixed(0)} ms; ${pasted.long} tasks over ${LONG_TASK_MS} ms, the longest ${pasted.worstMs.toFixed(0)} ms; the next key is drawn after ${(performance.now() - startedAt).toFixed(0)} ms`,
  );
  await page.close();
}
