// Debian's Firefox over WebDriver BiDi, which it speaks itself: as much of the protocol as a walk through the pages needs.
// Playwright's own Firefox is a patched build that exists for few systems, and its client of the protocol uses commands
// that Debian's release does not have yet.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { getProgram } from '../../../scripts/test-programs.ts';

const START_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 30_000;
/** A quiet profile that opens our pages alone. */
const PREFERENCES: Readonly<Record<string, unknown>> = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  // One process for pages, and none kept ready: there is one page.
  'dom.ipc.processCount': 1,
  'dom.ipc.processPrelaunch.enabled': false,
  'extensions.update.enabled': false,
  'fission.autostart': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

interface FirefoxPage {
  goto(url: string): Promise<void>;
  /** The value of an expression, awaited if it is a promise; it must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  resize(size: { readonly width: number; readonly height: number }): Promise<void>;
  /** Types into what has the focus; `\uE007` is Enter. */
  type(text: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** Errors on the console, exceptions, and requests that failed, since the last call. */
  takeComplaints(): string[];
}

export interface Firefox {
  readonly page: FirefoxPage;
  close(): Promise<void>;
}

type Json = Readonly<Record<string, unknown>>;

export async function launchFirefox(): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const browser = spawn(
    getProgram('firefox-esr'),
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    // As root it refuses a home that belongs to somebody else.
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' } },
  );
  const end = async (): Promise<void> => {
    if (browser.exitCode === null && browser.signalCode === null) {
      const gone = once(browser, 'exit');
      browser.kill('SIGKILL');
      await gone;
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const connection = await connect(`${await readAddress(browser)}/session`);
    return { page: await openPage(connection), close: () => connection.close().then(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Firefox says where it listens once it does. */
async function readAddress(browser: ChildProcess): Promise<string> {
  const said: string[] = [];
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const lines = createInterface({ input: browser.stderr as NodeJS.ReadableStream, signal: timeout });
  for await (const line of lines) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) {
      browser.stderr?.resume();
      return address;
    }
    said.push(line);
  }
  throw new Error(`Firefox did not start: ${said.slice(-5).join(' | ')}`);
}

interface Connection {
  send<T>(method: string, params: Json): Promise<T>;
  on(method: string, heard: (params: Json) => void): void;
  close(): Promise<void>;
}

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address, { maxPayload: 64 * 1024 * 1024 });
  await once(socket, 'open', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  const waiting = new Map<number, (answer: Json) => void>();
  const listeners = new Map<string, (params: Json) => void>();
  let last = 0;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { id?: number; method?: string; params?: Json };
    if (typeof message.id === 'number') waiting.get(message.id)?.(message);
    else listeners.get(message.method ?? '')?.(message.params ?? {});
  });
  const send = async <T>(method: string, params: Json): Promise<T> => {
    const id = ++last;
    const answered = new Promise<Json>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), COMMAND_TIMEOUT_MS);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    }).finally(() => waiting.delete(id));
    socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    if (answer['type'] === 'error') throw new Error(`${method}: ${String(answer['message'])}`);
    return answer['result'] as T;
  };
  await send('session.new', { capabilities: {} });
  return {
    send,
    on: (method, heard) => void listeners.set(method, heard),
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

async function openPage({ send, on }: Connection): Promise<FirefoxPage> {
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]?.context ?? '';
  const complaints = watch(on);
  await send('session.subscribe', {
    events: ['log.entryAdded', 'network.responseCompleted', 'network.fetchError'],
  });
  return {
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'interactive' })),
    async evaluate<T>(expression: string): Promise<T> {
      const { result, exceptionDetails } = await send<{ result?: { value: string }; exceptionDetails?: Json }>(
        'script.evaluate',
        {
          expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
          target: { context },
          awaitPromise: true,
        },
      );
      if (!result) throw new Error(`${expression}: ${String(exceptionDetails?.['text'])}`);
      return JSON.parse(result.value) as T;
    },
    resize: async (viewport) => void (await send('browsingContext.setViewport', { context, viewport })),
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    async screenshot() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    takeComplaints: () => complaints.splice(0),
  };
}

function watch(on: Connection['on']): string[] {
  const complaints: string[] = [];
  on('log.entryAdded', ({ level, text }) => {
    if (level === 'error') complaints.push(`console: ${String(text)}`);
  });
  on('network.responseCompleted', ({ request, response }) => {
    const { status } = response as { status: number };
    if (status >= 400) complaints.push(`${status} ${(request as { url: string }).url}`);
  });
  on('network.fetchError', ({ request, errorText }) => {
    // A request that a page leaves behind is ended with it.
    if (errorText !== 'NS_BINDING_ABORTED') complaints.push(`${String(errorText)} ${(request as { url: string }).url}`);
  });
  return complaints;
}
