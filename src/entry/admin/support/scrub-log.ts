// What of a log may be in a support bundle. A log line is never passed on: what is known to hold no content is taken out
// of it, field by field, so that a text which a person or another program wrote stays behind wherever it stands.
import { ENVIRONMENT } from '../../../base/environment.ts';
import { type Scrub, withoutQuoted } from './scrub.ts';

/** Texts that come from a closed set, or are ids of runs and requests. */
const WORDS: ReadonlySet<string> = new Set(
  [
    'time level part reason code fault task kind state status outcome method route provider role signal operation event',
    'version build driver job run attempt requestId replica limits weak type',
  ].flatMap((line) => line.split(' ')),
);
/** The sentence of a line is written in the code, but for those of the identity library. */
const SENTENCE = 'msg';
const FOREIGN_SENTENCE = /^(identity: ).*$/s;
const WORD = /^[\w.:/{}*+,%-]{1,120}$/;
const LONGEST_SENTENCE = 300;
const MOST_FRAMES = 30;
const MOST_CAUSES = 5;
/** Of the system, the driver or PostgreSQL: their messages quote what is not ours to tell, and say nothing else of it. */
const SYSTEM_CODE = /^(?:E[A-Z0-9_]{2,}|[0-9A-Z]{5}|(?:ERR|UND_ERR|CERT|DEPTH|SELF)_\w+)$/;
const FRAME = /^\s+at (?:[\w$.<>#[\] ]{1,120} \()?(?:file:\/\/|node:|\/)[^\s()]{1,300}:\d+:\d+\)?$/;
const SERVER_LINE = /^(\d{4}-\d\d-\d\d [\d:.]+) \w+ \[\d+\] (?:\S+ )?(LOG|WARNING|ERROR|FATAL|PANIC):\s+(.*)/;
/** From here on the server repeats what was sent to it. */
const REPEATED = /\b(?:statement|execute|parse|bind|parameters|detail|context|query)\b.*$/is;
/** A program that refuses its configuration says so in one line that names the variable, and no value. */
const REFUSAL = /^[a-z][a-z-]{1,30}: (?:[A-Za-z, ]{0,60})\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/;
const CRASH = /^(?:Uncaught )?(\w{0,40}Error)\b/;

export function scrubLog(text: string, scrub: Scrub): string {
  let left = 0;
  const kept = text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const clean = scrubLine(line, scrub);
    if (clean === undefined) left++;
    return clean === undefined ? [] : [clean];
  });
  return [...kept, ...(left === 0 ? [] : [`[${left} lines of other texts were left out]`]), ''].join('\n');
}

/** Undefined for a line that may hold anything. */
export function scrubLine(line: string, scrub: Scrub): string | undefined {
  const entry = entryOf(line);
  if (entry !== undefined) return JSON.stringify(scrubEntry(entry, scrub));
  if (FRAME.test(line)) return scrub(line);
  const [, time, level, message] = SERVER_LINE.exec(line) ?? [];
  if (message !== undefined) return `${time} ${level}: ${sentence(message.replace(REPEATED, '…'), scrub)}`;
  if (Object.hasOwn(ENVIRONMENT, REFUSAL.exec(line)?.[1] ?? '')) return sentence(line, scrub);
  return CRASH.exec(line)?.[1];
}

/** A line of the service, also behind what journald and containers put before it. */
function entryOf(line: string): Record<string, unknown> | undefined {
  const at = line.indexOf('{');
  if (at < 0) return undefined;
  try {
    const value = JSON.parse(line.slice(at)) as Record<string, unknown>;
    return typeof value['part'] === 'string' && typeof value['pid'] === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

function scrubEntry(entry: Record<string, unknown>, scrub: Scrub): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (!/^\w{1,40}$/.test(name)) continue;
    if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
    else if (typeof value === 'string' && name === SENTENCE)
      kept[name] = sentence(value.replace(FOREIGN_SENTENCE, '$1…'), scrub);
    else if (typeof value === 'string' && WORDS.has(name)) kept[name] = WORD.test(value) ? scrub(value) : '…';
    else if (name === 'err') kept[name] = scrubError(value, scrub, MOST_CAUSES);
  }
  return kept;
}

function scrubError(value: unknown, scrub: Scrub, causes: number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, code, message, stack, cause } = value as Record<string, unknown>;
  const ofSystem = typeof code === 'string' && SYSTEM_CODE.test(code);
  return {
    ...(typeof type === 'string' && WORD.test(type) ? { type: scrub(type) } : {}),
    ...(typeof code === 'string' && WORD.test(code) ? { code: scrub(code) } : {}),
    ...(ofSystem && typeof message === 'string' ? { message: sentence(message, scrub) } : {}),
    ...(typeof stack === 'string' ? { stack: framesOf(stack, scrub) } : {}),
    ...(cause !== undefined && causes > 0 ? { cause: scrubError(cause, scrub, causes - 1) } : {}),
  };
}

function framesOf(stack: string, scrub: Scrub): string[] {
  return stack
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => scrub(line.trim()));
}

function sentence(text: string, scrub: Scrub): string {
  const clean = withoutQuoted(scrub(text));
  return clean.length > LONGEST_SENTENCE ? `${clean.slice(0, LONGEST_SENTENCE)}…` : clean;
}
