// Converts the events of a run to readable steps: the start and end of a tool call are one step, with the detail that
// the receipt only hashes. The shape of an event is not trusted.
import type { RunEvent } from './queries.ts';

export type Step =
  | {
      /** Only the last step can be one: the model has been called and has not answered. */
      readonly type: 'waiting';
      readonly id: number;
      readonly at: string;
      readonly model?: string;
    }
  | {
      readonly type: 'moment';
      readonly id: number;
      readonly at: string;
      readonly event: string;
      readonly attempt: number;
      readonly actor: string;
      readonly facts: Readonly<Record<string, unknown>>;
      /** All that its receipt says, lists included. */
      readonly data: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly at: string;
      /** Empty when the model only called a tool. */
      readonly text: string;
      /** Since the model was called or, where that is not recorded, since the step before it. */
      readonly ms?: number;
      readonly model?: string;
      /** The model that answered, if it is not the one that was asked for. */
      readonly served?: string;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly costMicros?: number;
    }
  | {
      readonly type: 'tool';
      readonly id: number;
      readonly at: string;
      readonly tool: string;
      readonly ended: boolean;
      readonly ok?: boolean;
      readonly exit?: number;
      readonly ms?: number;
      readonly input?: string;
      readonly output?: string;
      /** The model's name of the call; older runs have none. */
      readonly call?: string;
      /** The worker was lost meanwhile: nobody knows how it ended. */
      readonly unknown?: boolean;
    }
  | {
      /** What a person said while the run worked, when the model read it. */
      readonly type: 'message';
      readonly id: number;
      readonly at: string;
      readonly text: string;
    };

type ToolStep = Extract<Step, { type: 'tool' }>;
type WaitingStep = Extract<Step, { type: 'waiting' }>;

export function describeSteps(events: readonly RunEvent[]): readonly Step[] {
  const steps: Step[] = [];
  let before: RunEvent | undefined;
  for (const event of events) {
    if (steps.at(-1)?.type === 'waiting') steps.pop();
    const progress = record(record(event.data).progress);
    const kind = event.type === 'job.progress' ? progress.type : undefined;
    if (kind === 'model.started')
      steps.push({ type: 'waiting', id: event.id, at: event.at, ...defined({ model: text(progress.model) }) });
    else if (kind === 'model') steps.push(toAnswer(event, progress, before));
    else if (kind === 'tool.started') steps.push(tool(event, progress, false));
    else if (kind === 'tool.ended') endTool(steps, tool(event, progress, true));
    else if (kind === 'message')
      steps.push({ type: 'message', id: event.id, at: event.at, text: text(record(event.detail).text) ?? '' });
    else
      steps.push({
        type: 'moment',
        id: event.id,
        at: event.at,
        event: event.type === 'job.progress' ? (text(kind) ?? 'job.progress') : event.type,
        attempt: event.attempt,
        actor: event.actor,
        facts: event.type === 'job.progress' ? plain(progress) : plain(record(event.data)),
        data: event.type === 'job.progress' ? progress : record(event.data),
      });
    before = event;
  }
  return steps;
}

/** What a run is doing, as far as its last event says: it waits for the model or uses a tool. */
export function currentStep(steps: readonly Step[]): WaitingStep | ToolStep | undefined {
  const last = steps.at(-1);
  return last?.type === 'waiting' || (last?.type === 'tool' && !last.ended) ? last : undefined;
}

function toAnswer(event: RunEvent, progress: Record<string, unknown>, before: RunEvent | undefined): Step {
  const words = text(record(event.detail).text) ?? '';
  return {
    type: 'answer',
    id: event.id,
    at: event.at,
    text: words.trim() === '' ? '' : words,
    ...defined({
      ms: before === undefined ? undefined : Math.max(0, Date.parse(event.at) - Date.parse(before.at)),
      model: text(progress.model),
      served: text(progress.served),
      inputTokens: number(progress.inputTokens),
      outputTokens: number(progress.outputTokens),
      costMicros: number(progress.costMicros),
    }),
  };
}

function tool(event: RunEvent, progress: Record<string, unknown>, ended: boolean): ToolStep {
  const detail = record(event.detail);
  const exit = number(progress.exit);
  return {
    type: 'tool',
    id: event.id,
    at: event.at,
    tool: text(progress.tool) ?? '',
    ended,
    ...defined({
      ok: typeof progress.ok === 'boolean' ? progress.ok : exit === undefined ? undefined : exit === 0,
      exit,
      ms: number(progress.ms),
      input: toText(detail.command ?? detail.arguments),
      call: text(progress.call),
      unknown: progress.unknown === true ? true : undefined,
      output: ended ? toText(detail.output ?? detail.result ?? detail.changes ?? detail.items) : undefined,
    }),
  };
}

/** A run calls one tool at a time, so the end belongs to the last start of that call or, in older runs, of that name. */
function endTool(steps: Step[], ended: ToolStep): void {
  const at = steps.findLastIndex(
    (step) => step.type === 'tool' && !step.ended && step.tool === ended.tool && step.call === ended.call,
  );
  const begun = steps[at];
  if (begun?.type !== 'tool') steps.push(ended);
  else steps[at] = { ...begun, ...ended, id: begun.id, at: begun.at };
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

const HIDDEN: readonly string[] = [
  'type',
  'kind',
  'detail',
  'attempt',
  'objective',
  'result',
  'capabilities',
  'workspace',
  'progress',
];

/** Short facts that fit on one line. */
function plain(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([name, value]) =>
        !HIDDEN.includes(name) &&
        (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'),
    ),
  );
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends Record<string, unknown>>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
