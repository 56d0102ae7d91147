// Comments on lines of a diff, kept for the session until they are sent; and the message that they become.
import { createKeyedStore } from '../../../kit/keyed-store.ts';
import { followUpStrings } from './strings.ts';

export interface LineComment {
  readonly path: string;
  readonly line: number;
  /** The line was deleted: its number is the one before. */
  readonly old: boolean;
  /** What stands there. */
  readonly code: string;
  readonly text: string;
}

const NONE: readonly LineComment[] = [];

/** By run. */
export const comments = createKeyedStore<readonly LineComment[]>({
  empty: NONE,
  isEmpty: ({ length }) => length === 0,
  persist: {
    area: 'session',
    prefix: 'run-comments:',
    pack: (kept) => JSON.stringify(kept),
    unpack: (stored) => readStored(stored),
  },
});

const CODE_CHARS = 300;

export function writeFollowUp(kept: readonly LineComment[]): string {
  const parts = kept.map(({ path, line, old, code, text }) => {
    const quoted = code.length > CODE_CHARS ? `${code.slice(0, CODE_CHARS)}…` : code;
    return `${JSON.stringify(path)}, ${old ? 'deleted line' : 'line'} ${line}:\n> ${quoted}\n${text}`;
  });
  return [followUpStrings.head, ...parts].join('\n\n');
}

function readStored(stored: string): readonly LineComment[] {
  try {
    const read: unknown = JSON.parse(stored);
    return Array.isArray(read) ? read.filter(isComment) : NONE;
  } catch {
    return NONE;
  }
}

function isComment(value: unknown): value is LineComment {
  const { path, line, old, code, text } = (value ?? {}) as Partial<Record<keyof LineComment, unknown>>;
  return (
    typeof path === 'string' &&
    typeof line === 'number' &&
    typeof old === 'boolean' &&
    typeof code === 'string' &&
    typeof text === 'string'
  );
}
