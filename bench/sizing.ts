// How much a deployment uses for 10, 100 and 1,000 people: the real stack, from dist, under the load of a busy minute.
// The assumption: one person in ten has the app open, with a page that listens for changes, and sends one message per
// minute; one person in a hundred starts a run in that minute. Memory is proportional (PSS), so that shared memory
// counts once; processor time is that of the whole minute.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants, readProcesses } from '../src/sandbox/watchdog/read-processes.ts';
import { signUp, type SignedIn } from '../test/support/http-client.ts';
import { startStack, type TestStack } from '../test/support/stack/stack.ts';

const STEPS = [10, 100, 1_000];
const MINUTE_MS = 60_000;
/** A person may have so many pages open, and send so many messages a minute. */
const PAGES_OF_ONE = 20;
const TICKS_PER_SECOND = 100;
const MIB = 1024;

interface Caller {
  readonly owner: SignedIn;
  readonly organization: string;
  readonly token: string;
}

export async function bench(report: (line: string) => void): Promise<void> {
  const stack = await startStack({ environment: { SERVICE_LOG_LEVEL: 'error' } });
  const callers: Caller[] = [];
  const pages = new AbortController();
  try {
    report(`idle: ${describe(await measure(stack))}`);
    let open = 0;
    for (const people of STEPS) {
      const active = Math.max(1, people / 10);
      while (callers.length < Math.ceil(active / PAGES_OF_ONE)) callers.push(await arrive(stack.url));
      for (; open < active; open++) await listen(stack.url, at(callers, open), pages.signal);
      const before = await processorSeconds(stack);
      const begun = performance.now();
      const failed = await busyMinute(stack.url, callers, { messages: active, runs: Math.max(1, people / 100) });
      const cores = ((await processorSeconds(stack)) - before) / ((performance.now() - begun) / 1_000);
      report(
        `${people} people (${active} pages, ${active} messages and ${Math.max(1, people / 100)} runs a minute${failed > 0 ? `, ${failed} failed` : ''}): ${describe(await measure(stack))}, ${cores.toFixed(2)} cores`,
      );
    }
  } finally {
    pages.abort();
    await stack.stop();
  }
}

const at = (callers: readonly Caller[], number: number): Caller => {
  const caller = callers[number % callers.length];
  if (!caller) throw new Error('nobody is there');
  return caller;
};

async function arrive(url: string): Promise<Caller> {
  const owner = await signUp(url, 'Person');
  const { body } = await owner.post('/api/organizations', { name: 'Acme' });
  return {
    owner,
    organization: body.organization.id,
    token: await owner.token(body.organization.id, ['chat', 'jobs:write', 'jobs:read']),
  };
}

/** An open page: the stream stays until the end. */
async function listen(url: string, { owner, organization }: Caller, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${url}/api/changes?organization=${organization}`, {
    headers: { cookie: owner.cookie, origin: url },
    signal,
  });
  if (!answer.ok) throw new Error(`a page was refused: ${answer.status}`);
  void answer.body?.pipeTo(new WritableStream()).catch(() => {});
}

/** Spread over the minute; tells how many were not answered well. */
async function busyMinute(
  url: string,
  callers: readonly Caller[],
  { messages, runs }: { messages: number; runs: number },
): Promise<number> {
  const send = (path: string, body: object, { token }: Caller): Promise<boolean> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    );
  const spread = (count: number, one: (number: number) => Promise<boolean>): Promise<boolean>[] =>
    Array.from({ length: count }, (_, number) => sleep((number * MINUTE_MS) / count).then(() => one(number)));
  const answers = await Promise.all([
    ...spread(messages, (number) =>
      send(
        '/v1/chat/completions',
        {
          model: 'openai/gpt-5-mini',
          stream: true,
          messages: [
            { role: 'user', content: `Tell me about lighthouse ${number}. ${'It stands on a rock. '.repeat(50)}` },
          ],
        },
        at(callers, number),
      ),
    ),
    ...spread(runs, (number) =>
      send(
        '/runtime/agents/factory/jobs',
        { objective: `Write a short note about lighthouse ${number}` },
        at(callers, number),
      ),
    ),
    sleep(MINUTE_MS).then(() => true),
  ]);
  return answers.filter((well) => !well).length;
}

async function pidsOf(stack: TestStack): Promise<Map<string, number[]>> {
  const { parts } = await stack.state();
  const processes = readProcesses();
  return new Map(
    Object.entries(parts).map(([name, { pid }]) => [name, descendants(processes, [pid]).map((one) => one.pid)]),
  );
}

/** MiB of each part, with the processes that it started. */
async function measure(stack: TestStack): Promise<Map<string, number>> {
  const pss = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  return new Map(
    [...(await pidsOf(stack))].map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + pss(pid), 0) / MIB]),
  );
}

async function processorSeconds(stack: TestStack): Promise<number> {
  const ticks = (pid: number): number => {
    const [, user = '0', system = '0'] =
      /^(?:\S+ ){11}(\d+) (\d+)/.exec(read(`/proc/${pid}/stat`).replace(/^\d+ \(.*\) /, '')) ?? [];
    return Number(user) + Number(system);
  };
  return [...(await pidsOf(stack)).values()].flat().reduce((sum, pid) => sum + ticks(pid), 0) / TICKS_PER_SECOND;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function describe(parts: ReadonlyMap<string, number>): string {
  const total = [...parts.values()].reduce((sum, one) => sum + one, 0);
  return `${Math.round(total)} MiB (${[...parts].map(([name, mib]) => `${name} ${Math.round(mib)}`).join(', ')})`;
}
