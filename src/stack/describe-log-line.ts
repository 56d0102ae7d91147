// A part's warnings and errors, shortened for people.
import { StringDecoder } from 'node:string_decoder';

export interface DescribedLine {
  readonly level: 'warn' | 'error';
  readonly text: string;
  /** True if the part logged it; false for other output on standard error. */
  readonly logged: boolean;
}

const LEVELS: Record<string, DescribedLine['level']> = { warn: 'warn', error: 'error', fatal: 'error' };
const LONGEST = 400;

/** Undefined for anything below a warning. Output on standard error that is not a log entry counts as an error. */
export function describeLogLine(line: string, from: 'stdout' | 'stderr'): DescribedLine | undefined {
  const entry = parseEntry(line);
  if (entry === undefined)
    return from === 'stderr' && line.trim() !== '' ? { level: 'error', text: plain(line), logged: false } : undefined;
  const level = LEVELS[String(entry.level)];
  if (level === undefined) return undefined;
  const message = typeof entry.msg === 'string' ? entry.msg : '';
  const cause = errorMessage(entry.err) || (typeof entry.reason === 'string' ? entry.reason : '');
  const fix = typeof entry.fix === 'string' ? `. To fix it: ${entry.fix}` : '';
  return { level, text: plain([message, cause].filter((text) => text !== '').join(': ') + fix), logged: true };
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function errorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { message, code } = error as { message?: unknown; code?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof code === 'string' ? code : '';
}

/** Log lines may contain text from outside: control characters must not reach the terminal. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
}

/** Splits a stream of chunks into lines. A line longer than the limit is cut, to bound memory. */
export function splitLines(onLine: (line: string) => void, limit = 64 * 1024): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > limit) {
      onLine(rest);
      rest = '';
    }
  };
}
