// A coding agent is set up with the lines of the page and then asked without a keyboard, in a project with a note.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHAT_CLIENTS, type ChatClientId } from '../../web/features/mcp-gateway/clients/chat-clients.ts';
import { WRITTEN } from './brain/decide-answer.ts';
import { readAsked } from './brain/read-asked.ts';
import type { Case, ClientUnderTest, Outcome } from './client.ts';
import { runLines } from './run-lines.ts';
import { endProgram, type Ended } from './run-program.ts';
import type { StepName } from './steps.ts';

export interface Agent {
  readonly client: ChatClientId;
  readonly package: string;
  /** What the line that asks one question becomes when it goes on with the last conversation. */
  readonly again: (line: string) => string;
  /** Lets it read and write in the project. */
  readonly allow?: (line: string) => string;
  /** How it makes a conversation shorter without a keyboard: by itself, at a limit, or when it is told to. */
  readonly compact?: { readonly change?: (line: string) => string; readonly prompt?: string };
  /** What it says of a conversation that is too long. */
  readonly tooLong: RegExp;
  /** What it says of a model that does not exist. */
  readonly refused: RegExp;
}

const UNKNOWN_MODEL = 'nobody/no-such-model';

export function agentClient(agent: Agent): ClientUnderTest {
  return { name: CHAT_CLIENTS[agent.client].name, package: agent.package, run: (at) => runAgent(agent, at) };
}

/** Who has just run `npm start`: what the page shows first is the model that the service chooses. */
export function newcomer(agent: Agent): ClientUnderTest {
  return {
    ...agentClient(agent),
    name: `${CHAT_CLIENTS[agent.client].name}, newcomer`,
    only: { provider: 'openai', credential: 'demo', model: 'service/auto' },
  };
}

async function runAgent(agent: Agent, at: Case): Promise<readonly Outcome[]> {
  const isDemo = at.credential === 'demo';
  const same = (line: string): string => line;
  const ask = async (prompt: string, again = false, model = at.model, change = same): Promise<Ended> =>
    (
      await runLines(at, {
        client: agent.client,
        model,
        change: (line) =>
          change((again ? agent.again : same)(agent.allow?.(line) ?? line)).replace('Say hello', prompt),
      })
    ).ended;
  const note = join(at.place.project, 'note.txt');
  const { compact } = agent;
  const steps: Partial<Record<StepName, () => Promise<string | undefined>>> = {
    lines: async () =>
      expectSaid(
        await (
          await runLines(at, { client: agent.client })
        ).ended,
        isDemo ? 'Demo answer' : 'Nothing was asked.',
      ),
    tools: async () => {
      if (isDemo) return expectSaid(await ask('And good night', true), 'Demo answer');
      return expectSaid(await ask(`task:read ${note}`), at.word) ?? expectSaid(await ask('task:repeat', true), at.word);
    },
    write: async () => {
      const made = join(at.place.project, 'demo-made.txt');
      const ended = await ask(isDemo ? 'Write a file demo-made.txt' : `task:write ${made}`);
      const text = await readFile(made, 'utf8').catch(() => undefined);
      return text !== undefined && (isDemo || text.includes(WRITTEN)) ? undefined : `no file: ${describe(ended)}`;
    },
    refused: async () => expectFault(await ask('Hello', false, UNKNOWN_MODEL), agent.refused),
    ...(isDemo || compact === undefined
      ? {}
      : {
          compact: async () => {
            const long = `task:long ${note}`;
            let ended = await ask(long, false, at.model, compact.change);
            if (compact.prompt !== undefined) {
              await ask(compact.prompt, true);
              ended = await ask(long, true);
            }
            return expectSaid(ended, `Kept: `) ?? expectSaid(ended, at.word);
          },
        }),
    ...(isDemo
      ? {}
      : { tooLong: async () => expectFault(await ask('task:overflow'), agent.tooLong), abort: () => abort(agent, at) }),
  };
  const outcomes: Outcome[] = [];
  for (const [step, run] of Object.entries(steps)) {
    const fault = await run();
    outcomes.push({ step, ...(fault === undefined ? {} : { fault }) });
  }
  // The tools were called with thoughts before them, and by a stream, where the agent asked for it.
  const called = outcomes.find(({ step }) => step === 'tools');
  const arrived = at.arrived().map(({ json }) => json);
  if (called && arrived.some((json) => readAsked(json).thinks)) outcomes.push({ ...called, step: 'thinking' });
  if (called && arrived.some((json) => (json as { stream?: unknown } | undefined)?.stream === true))
    outcomes.push({ ...called, step: 'stream' });
  return outcomes;
}

/** As a person does it: an interrupt while the answer arrives. */
async function abort(agent: Agent, at: Case): Promise<string | undefined> {
  const arrives = at.world.brain.next('task:wait');
  const running = await runLines(at, {
    client: agent.client,
    change: (line) => line.replace('Say hello', 'task:wait'),
  });
  const request = await Promise.race([arrives, running.ended]);
  if ('code' in request) return describe(request);
  endProgram(running, 'SIGINT');
  const wasAborted = await request.aborted;
  endProgram(running, 'SIGKILL');
  await running.ended;
  return wasAborted ? undefined : 'the provider finished its answer';
}

function expectSaid(ended: Ended, text: string): string | undefined {
  return ended.code === 0 && ended.stdout.includes(text) ? undefined : describe(ended);
}

function expectFault(ended: Ended, words: RegExp): string | undefined {
  return words.test(ended.stdout + ended.stderr) ? undefined : `without ${String(words)}: ${describe(ended)}`;
}

function describe({ code, stdout, stderr }: Ended): string {
  return `ended with ${code}: ${`${stdout}\n${stderr}`.replace(/\s+/g, ' ').trim().slice(-500)}`;
}
