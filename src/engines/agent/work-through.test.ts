// The loop under crashes: after every single thing that it records it is killed and begun again from the journal alone, by
// a worker that knows nothing else. Whatever dies when, the answer is the same, no finished call is made again, and no
// call at all is made twice.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from 'ai';
import type { Json } from '../../base/canonical-json.ts';
import { toJournal } from '../../runs/record/journal.ts';
import { type ToolCall, UNKNOWN } from './next-move.ts';
import { createRunNotes } from './run-notes.ts';
import { workThrough } from './work-through.ts';

interface Script {
  /** How many calls each answer asks for; the last answer asks for none. */
  readonly answers: readonly number[];
  /** Before which answer somebody says something. */
  readonly messages: readonly number[];
}

class Crash extends Error {}

/** What lives on when a worker dies: the recorded events, and the world outside that calls have changed. */
interface World {
  readonly events: { data: unknown; detail?: Json }[];
  readonly made: string[];
  readonly asked: { readonly step: number; readonly conversation: string }[];
  readonly said: { readonly id: string; readonly number: number; readonly text: string }[];
}

const newWorld = (): World => ({ events: [], made: [], asked: [], said: [] });

/**
 * One worker: it dies after as many records as it is given, or in the middle of that call, before or after the call has
 * had its effect.
 */
async function attempt(
  world: World,
  script: Script,
  dies: { after: number; inCall?: 'before' | 'after' },
): Promise<string> {
  const journal = toJournal(world.events);
  if (journal === undefined) throw new Error('the journal cannot be read');
  let records = 0;
  const notes = createRunNotes(
    {
      async progress(fact, detail) {
        const written = JSON.parse(
          JSON.stringify({ data: { progress: fact }, detail }),
        ) as (typeof world.events)[number];
        world.events.push(written);
        if (++records === dies.after && dies.inCall === undefined) throw new Crash();
        return world.events.length - 1;
      },
    },
    journal,
  );
  const told = { objective: 'Do it', earlier: [] };
  const first = journal.length === 0;
  await notes.began({ driver: 'bubblewrap', limits: LIMITS, restored: 'x' }, {}, first);
  return workThrough({
    told,
    journal: () => notes.journal,
    async listen() {
      const step = notes.steps;
      const heard = notes.journal.filter(({ type }) => type === 'message').length;
      const due = script.messages.filter((at) => at <= step).slice(heard);
      for (const [index, at] of due.entries()) {
        const message = { id: `msg_${at}`, number: heard + 1 + index, text: `Also ${at}` };
        world.said.push(message);
        await notes.heard(message);
      }
      return due.length > 0;
    },
    async ask(messages) {
      const step = answersIn(messages);
      world.asked.push({ step, conversation: JSON.stringify(messages) });
      await notes.modelStarted('m');
      const calls = script.answers[step] ?? 0;
      const content: Json[] = [
        { type: 'text', text: `step ${step}` },
        ...Array.from({ length: calls }, (_, index) => ({
          type: 'tool-call',
          toolCallId: `call_${index}`,
          toolName: 'bash',
          input: { command: `${step}.${index}` },
        })),
      ];
      await notes.modelAnswered({
        model: 'm',
        credential: 'platform',
        inputTokens: 1,
        outputTokens: 1,
        costMicros: 1,
        text: `step ${step}`,
        content,
      });
    },
    async call({ call, input }: ToolCall) {
      const { command } = input as { command: string };
      await notes.toolStarted('bash', call, { command });
      const dying = dies.inCall !== undefined && records >= dies.after;
      if (dying && dies.inCall === 'before') throw new Crash();
      world.made.push(command);
      if (dying) throw new Crash();
      await notes.toolEnded('bash', call, { exit: 0 }, { command, output: `did ${command}`, exit: '[exit code 0]' });
    },
    tellUnknown: ({ tool, call }) => notes.toolEnded(tool, call, { ok: false, unknown: true }, { result: UNKNOWN }),
  });
}

const LIMITS = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' } as const;

/** A model that knows nothing but what it is sent. */
const answersIn = (messages: readonly ModelMessage[]): number =>
  messages.filter(({ role }) => role === 'assistant').length;

async function through(
  script: Script,
  deaths: readonly { after: number; inCall?: 'before' | 'after' }[],
): Promise<{ world: World; answer: string }> {
  const world = newWorld();
  for (const dies of [...deaths, { after: Infinity }]) {
    try {
      return { world, answer: await attempt(world, script, dies) };
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
  throw new Error('the last worker does not die');
}

const expectSound = (
  { world, answer }: { world: World; answer: string },
  calm: { world: World; answer: string },
): void => {
  expect(answer).toBe(calm.answer);
  // Each call at most once; one that was begun and lost is told as unknown, and not made again.
  expect(new Set(world.made).size).toBe(world.made.length);
  const told = JSON.stringify(world.events);
  for (const command of calm.world.made.filter((one) => !world.made.includes(one)))
    expect(told).toContain(`"command":"${command}"`);
  // A finished step is not asked for again: the model is asked once more only for an answer that nobody recorded.
  const recorded = world.events.filter(({ data }) => JSON.stringify(data).includes('"type":"model"'));
  expect(recorded).toHaveLength(calm.world.asked.length);
  // Every call that the model asked for has exactly one result in what it is sent next.
  for (const { conversation } of world.asked) {
    expect(conversation.match(/"tool-call"/g)?.length ?? 0).toBe(conversation.match(/"tool-result"/g)?.length ?? 0);
  }
  expect(world.said.map(({ number }) => number)).toEqual([...new Set(world.said.map(({ number }) => number))]);
};

const SCRIPT: Script = { answers: [1, 3, 2], messages: [1] };

describe('the loop of an agent', () => {
  it('gives the same answer after a crash behind every single thing it records', async () => {
    const calm = await through(SCRIPT, []);
    expect(calm.answer).toBe('step 3');
    expect(calm.world.made).toEqual(['0.0', '1.0', '1.1', '1.2', '2.0', '2.1']);
    const records = calm.world.events.length;
    for (let after = 1; after <= records; after++) {
      const crashed = await through(SCRIPT, [{ after }]);
      expectSound(crashed, calm);
      // Only who dies in a call leaves the model with less than it would have known.
      if (!isCall(calm.world.events[after - 1])) expect(crashed.world.asked.at(-1)).toEqual(calm.world.asked.at(-1));
    }
  });

  it('tells the model that the end of a call is unknown, whether it had its effect or not', async () => {
    for (const inCall of ['before', 'after'] as const) {
      const { world } = await through({ answers: [2], messages: [] }, [{ after: 3, inCall }]);
      expect(world.made).toEqual(inCall === 'before' ? ['0.1'] : ['0.0', '0.1']);
      expect(world.asked.at(-1)?.conversation).toContain(JSON.stringify(UNKNOWN).slice(1, -1));
      expect(world.asked.at(-1)?.conversation).toContain('did 0.1');
    }
  });

  it('holds under any number of crashes, anywhere', async () => {
    const death = fc.record(
      { after: fc.integer({ min: 1, max: 12 }), inCall: fc.constantFrom('before' as const, 'after' as const) },
      { requiredKeys: ['after'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
        fc.array(death, { maxLength: 12 }),
        async (answers, messages, deaths) => {
          const script = { answers, messages: messages.toSorted((a, b) => a - b) };
          expectSound(await through(script, deaths), await through(script, []));
        },
      ),
      { numRuns: 300 },
    );
  });
});

function isCall(event: World['events'][number] | undefined): boolean {
  return JSON.stringify(event?.data).includes('tool.started');
}
