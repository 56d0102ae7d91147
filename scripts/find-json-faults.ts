// Finds JSON that is read or written where nobody has said how large it can be, and rows of the table that nothing uses.
import type { JsonBound } from './json-bounds.ts';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const USES = /\bJSON\.(?:parse|stringify)\b|\bstructuredClone\(/;

export function findJsonFaults(files: readonly SourceFile[], bounds: readonly JsonBound[]): string[] {
  const using = files.filter(({ text }) => USES.test(text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')));
  const covers = ({ path: row }: JsonBound, { path }: SourceFile): boolean =>
    path === row || path.startsWith(`${row}/`);
  return [
    ...using
      .filter((file) => !bounds.some((bound) => covers(bound, file)))
      .map(
        ({ path }) =>
          `${path}: reads or writes JSON; say in scripts/json-bounds.ts what bounds it, or leave it to a thread`,
      ),
    ...bounds
      .filter((bound) => !using.some((file) => covers(bound, file)))
      .map(({ path }) => `scripts/json-bounds.ts: ${path} reads and writes no JSON`),
  ];
}
