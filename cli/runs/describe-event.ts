import { withServed } from '../../src/contract/routes/with-served.ts';
import type { RunEvent } from './runs-api.ts';

type Facts = Readonly<Record<string, unknown>>;

/** How each kind of receipt is shown. */
const WORDS: Readonly<Record<string, string>> = {
  'job.queued': 'queued',
  'job.started': 'started',
  'job.progress': 'progress',
  'job.retried': 'restarted: its worker was lost',
  'job.completed': 'completed',
  'job.failed': 'failed',
  'job.aborted': 'aborted',
};

/** How each kind of progress note is shown; others are shown as name=value pairs. */
const NOTES: Readonly<Record<string, (fact: Facts, detail: Facts) => string>> = {
  began: ({ model, sandbox, tools, step, files }) =>
    `${step === undefined ? 'begins' : `goes on after step ${text(step)}${files === true ? ' with its files' : ''}`} with ${[text(model), tools === undefined ? undefined : `${text(tools)} tools`, `sandbox ${text(sandbox)}`].filter((part) => part !== undefined).join(', ')}`,
  released: ({ reason }) => `released, to resume in the same attempt: ${text(reason)}`,
  resumed: () => 'resumes in the same attempt',
  setup: ({ environment, state }) => `environment ${text(environment)}: setup ${text(state)}`,
  installing: ({ program, version }) => `installs ${text(program)} ${text(version)}`,
  message: (_fact, { text: said }) => `reads a message: ${text(said)}`,
  checkout: ({ repository, commit }) => `checks out ${text(repository)} at ${text(commit).slice(0, 12)}`,
  changes: ({ files, additions, deletions }) =>
    `changed ${text(files)} ${files === 1 ? 'file' : 'files'}: +${text(additions)} -${text(deletions)}`,
  delivered: ({ branch, url, problem }) =>
    [
      branch === undefined ? 'pushed nothing' : `pushed to ${text(branch)}`,
      ...(url === undefined ? [] : [text(url)]),
      ...(problem === undefined ? [] : [text(problem)]),
    ].join(': '),
  'model.started': ({ model }) => `waits for ${text(model)}`,
  model: ({ model, served, inputTokens, outputTokens, costMicros }) =>
    `${withServed(text(model), served === undefined ? undefined : text(served))} answers: ${text(inputTokens)} tokens in, ${text(outputTokens)} out, $${(Number(costMicros) / 1_000_000).toFixed(4)}`,
  'tool.started': ({ tool }, detail) =>
    `${text(tool)} ${typeof detail['command'] === 'string' ? `$ ${detail['command']}` : JSON.stringify(detail)}`,
  'snapshot.skipped': ({ reason }) => `its files are no longer kept after each step: ${text(reason)}`,
  'tool.ended': ({ tool, unknown, step: _step, type: _type, detail: _detail, call: _call, ...rest }) =>
    unknown === true ? `${text(tool)}: nobody knows how it ended` : `${text(tool)} ends: ${list(rest)}`,
};

/** The time and what happened, on one line. */
export function describeEvent(event: RunEvent): string {
  return `${event.at}  ${describe(event)}`.replaceAll(/\s*\n\s*/g, ' ');
}

function describe(event: RunEvent): string {
  const data = isFacts(event.data) ? event.data : {};
  const words = WORDS[event.type] ?? event.type;
  if (event.type === 'job.aborted' && data['reason'] !== undefined) return `${words}: ${text(data['reason'])}`;
  if (event.type === 'job.failed' || event.type === 'job.retried') return `${words}  ${list(data)}`;
  if (event.type !== 'job.progress') return words;
  const progress = isFacts(data['progress']) ? data['progress'] : { progress: data['progress'] };
  const detail = 'detail' in event && isFacts(event.detail) ? event.detail : {};
  const note = Object.hasOwn(NOTES, String(progress['type'])) ? NOTES[String(progress['type'])] : undefined;
  return note ? note(progress, detail) : `${words}  ${list(progress)}`;
}

function list(facts: Facts): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : text(value)}`)
    .join(' ');
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '?';
}

function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
