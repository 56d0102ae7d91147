/** A line of a file that was changed. */
export interface Place {
  readonly path: string;
  readonly line: number;
  /** The line was deleted: its number is the one before. */
  readonly old: boolean;
  /** What stands there. */
  readonly code: string;
}

const CODE_CHARS = 300;

/** A comment as part of a message to the run, for a model to read. */
export function writeComment({ path, line, old, code }: Place, text: string): string {
  const quoted = code.length > CODE_CHARS ? `${code.slice(0, CODE_CHARS)}…` : code;
  return `${path.replaceAll('\n', ' ')}, ${old ? 'deleted line' : 'line'} ${line}:\n> ${quoted}\n${text.trim()}`;
}
