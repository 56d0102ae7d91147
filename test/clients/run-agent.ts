// A coding agent is set up with the lines of the page and then asked without a keyboard, in a project with a note.
import { join } from 'node:path';
import { CHAT_CLIENTS, type ChatClientId } from '../../web/features/mcp-gateway/clients/chat-clients.ts';
import type { Case, ClientUnderTest, Outcome } from './client.ts';
import { runLines } from './run-lines.ts';
import { endProgram, type Ended } from './run-program.ts';
import type { StepName } from './steps.ts';

export interface Agent {
  readonly client: ChatClientId;
  readonly package: string;
  /** What the line that asks one question becomes when it goes on with the last conversation. */
  readonly again: (line: string) => string;
  /** Lets it read the note by a shell. */
  readonly allow?: (line: string) => string;
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
  const ask = async (prompt: string, again = false, model = at.model): Promise<Ended> =>
    (
      await runLines(at, {
        client: agent.client,
        model,
        change: (line) =>
          (again ? agent.again : (same: string) => same)(isDemo ? line : (agent.allow?.(line) ?? line)).replace(
            'Say hello',
            prompt,
          ),
      })
    ).ended;
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
      return (
        expectSaid(await ask(`task:read ${join(at.place.project, 'note.txt')}`), at.word) ??
        expectSaid(await ask('task:repeat', true), at.word)
      );
    },
    refused: async () => expectFault(await ask('Hello', false, UNKNOWN_MODEL), agent.refused),
    ...(isDemo
      ? {}
      : { tooLong: async () => expectFault(await ask('task:overflow'), agent.tooLong), abort: () => abort(agent, at) }),
  };
  const outcomes: Outcome[] = [];
  for (const [step, run] of Object.entries(steps)) {
    const fault = await run();
    outcomes.push({ step, ...(fault === undefined ? {} : { fault }) });
  }
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
