// A receipt as one sentence: who, what, where, and how it ended. The shape of its body is not trusted.
import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';
import { describeTool } from './describe-tool.ts';
import { receiptWords as words } from './strings.ts';

export interface Described {
  readonly text: string;
  readonly outcome: 'good' | 'bad' | 'plain';
}

export interface Names {
  /** The person or process, as the start of a sentence. */
  readonly who: (actor: string) => string;
  readonly appName: (id: string) => string;
  /** The objective of the run, where it is known. */
  readonly objective?: string | undefined;
  /** The user who started the run. */
  readonly startedBy?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type Describe = (body: Fields, names: Names, by: string) => Described;

const plain = (text: string): Described => ({ text, outcome: 'plain' });
const good = (text: string): Described => ({ text, outcome: 'good' });
const bad = (text: string): Described => ({ text, outcome: 'bad' });

/** Every kind that the service writes. */
export const RECEIPT_KINDS = {
  'tool.called': (body, names, by) => plain(words.started(by, ...toolOf(body, names))),
  'tool.observed': (body, names, by) => good(words.succeeded(by, ...toolOf(body, names), number(body.status))),
  'tool.failed': (body, names, by) =>
    bad(words.failed(by, ...toolOf(body, names), number(body.status) ?? code(body.error))),
  'job.queued': (_, { objective }, by) => plain(words.queued(by, objective)),
  'job.started': (_, names) => plain(words.begun(runOf(names), names.objective)),
  'job.retried': (body, names) => plain(words.retried(runOf(names), number(body.attempt), names.objective)),
  'job.progress': (body, names) => describeProgress(fields(body.progress), names),
  'job.completed': (_, names) => good(words.completed(runOf(names), names.objective)),
  'job.failed': (body, names) => bad(words.runFailed(runOf(names), code(body.code), names.objective)),
  'job.aborted': (body, names, by) =>
    body.reason === undefined && by !== words.service
      ? bad(words.abortedBy(by, names.objective))
      : bad(words.aborted(runOf(names), code(body.reason), names.objective)),
} as const satisfies Record<string, Describe>;

export function describeReceipt({ kind, actor, body }: ReceiptOnWire, names: Names): Described {
  const by = actor.startsWith('system:') ? words.service : names.who(actor);
  const describe: Describe | undefined = Object.hasOwn(RECEIPT_KINDS, kind)
    ? RECEIPT_KINDS[kind as keyof typeof RECEIPT_KINDS]
    : undefined;
  return describe?.(fields(body), names, by) ?? plain(words.other(by, kind));
}

type DescribeProgress = (progress: Fields, names: Names) => Described;

/** What a run records while it works. */
export const PROGRESS = {
  began: (progress, names) => plain(words.ready(runOf(names), text(progress.model))),
  model: (progress, names) => plain(words.model(runOf(names), text(progress.model))),
  'tool.started': (progress, names) => plain(words.step(runOf(names), calling(progress, names, false))),
  'tool.ended': (progress, names) => {
    const isBad = progress.ok === false || (number(progress.exit) ?? 0) !== 0;
    const sentence = words.step(runOf(names), calling(progress, names, true));
    return isBad ? bad(words.stepFailed(sentence, number(progress.exit))) : good(sentence);
  },
  clients: (_, names) => plain(words.clients(runOf(names))),
  installing: (progress, names) => plain(words.installing(runOf(names), text(progress.program))),
  released: (_, names) => plain(words.released(runOf(names))),
  resumed: (_, names) => plain(words.resumed(runOf(names))),
} as const satisfies Record<string, DescribeProgress>;

function describeProgress(progress: Fields, names: Names): Described {
  const type = text(progress.type) ?? '';
  const describe: DescribeProgress | undefined = Object.hasOwn(PROGRESS, type)
    ? PROGRESS[type as keyof typeof PROGRESS]
    : undefined;
  return describe?.(progress, names) ?? plain(words.progress(runOf(names)));
}

function calling({ tool }: Fields, { appName }: Names, ended: boolean): string {
  return describeTool(text(tool) ?? '', ended, appName);
}

const runOf = ({ startedBy, who }: Names): string =>
  startedBy === undefined ? words.theRun : words.runOf(who(`user:${startedBy}`));

/** The tool, and the app that it is called in. */
function toolOf({ tool, provider, name }: Fields, { appName }: Names): readonly [string, string | undefined] {
  const app = text(provider);
  const connection = text(name);
  const where =
    app === undefined
      ? undefined
      : connection === undefined || connection === 'default'
        ? appName(app)
        : `${appName(app)} (${connection})`;
  return [text(tool) ?? words.aTool, where];
}

function fields(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
/** A code as words. */
const code = (value: unknown): string | undefined => text(value)?.replaceAll(/[_:]+/g, ' ');
