// Steps of a run that are neither an answer nor a tool call, in words: a title, what to know about it, and short facts.
import type { Step } from './describe-steps.ts';
import { momentStrings as strings } from './strings.ts';

type Moment = Extract<Step, { type: 'moment' }>;

export interface DescribedMoment {
  readonly title: string;
  readonly facts: readonly string[];
  /** A sentence each. */
  readonly notes: readonly string[];
}

type NameModel = (id: string) => string;
type Describe = (moment: Moment, nameModel: NameModel) => DescribedMoment;

const only = (title: string, ...facts: readonly (string | undefined)[]): DescribedMoment => ({
  title,
  facts: facts.filter((fact) => fact !== undefined),
  notes: [],
});

const COMMIT_CHARS = 12;

/** Every moment that the service records. */
export const MOMENTS = {
  'job.queued': ({ facts }, nameModel) => only(strings.queued, modelOf(facts, nameModel)),
  'job.started': () => only(strings.started),
  'job.retried': ({ attempt }) => only(strings.retried, strings.attempt(attempt)),
  'job.completed': () => only(strings.completed),
  'job.failed': ({ facts }) => only(strings.failed, code(facts.code)),
  'job.aborted': ({ facts }) => only(strings.aborted, code(facts.reason)),
  'job.progress': ({ facts }) =>
    only(strings.progress, ...Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`)),
  began: ({ facts }, nameModel) =>
    only(
      typeof facts.step === 'number'
        ? (facts.files === true ? strings.wentOn : strings.wentOnWithoutFiles)(facts.step + 1)
        : strings.began,
      modelOf(facts, nameModel),
      typeof facts.tools === 'number' ? strings.tools(facts.tools) : undefined,
    ),
  changes: ({ facts }) =>
    only(strings.changes, typeof facts.files === 'number' ? strings.files(facts.files) : undefined, lines(facts)),
  checkout: ({ facts }) =>
    only(strings.checkout, text(facts.repository), text(facts.ref), text(facts.commit)?.slice(0, COMMIT_CHARS)),
  clients: describeClients,
  delivered: ({ facts }) =>
    only(
      text(facts.branch) === undefined ? strings.notDelivered : strings.delivered,
      text(facts.branch),
      text(facts.problem),
    ),
  setup: ({ facts }) => only(strings.setup[setupState(facts.state)], text(facts.environment)),
  installing: ({ facts }) => only(strings.installing(text(facts.program)), text(facts.version)),
  released: ({ facts }) => only(strings.released, code(facts.reason)),
  resumed: () => only(strings.resumed),
  'snapshot.skipped': ({ facts }) => only(strings.notKept, code(facts.reason)),
} as const satisfies Record<string, Describe>;

export function describeMoment(moment: Moment, nameModel: NameModel = (id) => id): DescribedMoment {
  const { event } = moment;
  if (Object.hasOwn(MOMENTS, event)) return MOMENTS[event as keyof typeof MOMENTS](moment, nameModel);
  return { ...MOMENTS['job.progress'](moment), title: event };
}

/** Which accounts the command-line programs of the sandbox can use, and which were left out. */
function describeClients({ data }: Moment): DescribedMoment {
  const profiles = list(data.profiles).flatMap((each) => text(each) ?? []);
  const leftOut = list(data.leftOut).map((each) => (each ?? {}) as { connection?: unknown; reason?: unknown });
  return {
    title: strings.clients,
    facts: [],
    notes: [
      strings.clientsText,
      ...(profiles.length === 0 ? [] : [strings.profiles(profiles)]),
      ...leftOut.map(({ connection, reason }) => strings.leftOut(text(connection) ?? '', text(reason) ?? '')),
    ],
  };
}

function modelOf(facts: Moment['facts'], nameModel: NameModel): string | undefined {
  const model = text(facts.model);
  return model === undefined ? undefined : nameModel(model);
}

function lines({ additions, deletions }: Moment['facts']): string | undefined {
  return typeof additions === 'number' && typeof deletions === 'number' ? `+${additions} −${deletions}` : undefined;
}

function setupState(state: unknown): keyof typeof strings.setup {
  return typeof state === 'string' && Object.hasOwn(strings.setup, state)
    ? (state as keyof typeof strings.setup)
    : 'ready';
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
/** A code as words. */
const code = (value: unknown): string | undefined => text(value)?.replaceAll(/[_:]+/g, ' ');
