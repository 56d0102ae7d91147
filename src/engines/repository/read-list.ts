// Reads what `git diff -z --raw --numstat` prints: for each file a record of what happened to it, then for each file its
// counted lines, in the same order. A run has chosen the names, which may hold anything but a null byte.
import type { ChangedFile, ChangesCount } from '../../contract/patches/run-changes.ts';

/** How many are listed; all are counted. */
export const LISTED_FILES = 3_000;

const STATUS: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'deleted', R: 'renamed' };

export function readList(list: Buffer): { readonly files: ChangedFile[]; readonly total: ChangesCount } {
  const fields = splitAtNulls(list);
  const files: { -readonly [K in keyof ChangedFile]: ChangedFile[K] }[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':') === true) {
    const letter = /^:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])/.exec(fields[at] ?? '')?.[1] ?? 'M';
    const renamed = letter === 'R' || letter === 'C';
    const [first, second] = [fields[at + 1], fields[at + 2]];
    at += renamed ? 3 : 2;
    const path = renamed ? second : first;
    if (path === undefined || first === undefined) break;
    files.push({
      path,
      ...(letter === 'R' ? { from: first } : {}),
      status: STATUS[letter] ?? (letter === 'C' ? 'added' : 'modified'),
      additions: 0,
      deletions: 0,
    });
  }
  const total = { files: files.length, additions: 0, deletions: 0 };
  for (const file of files) {
    const [, added = '', deleted = '', path = ''] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(fields[at] ?? '') ?? [];
    if (added === '') break;
    at += path === '' ? 3 : 1;
    if (added === '-') file.binary = true;
    else [file.additions, file.deletions] = [Number(added), Number(deleted)];
    total.additions += file.additions;
    total.deletions += file.deletions;
  }
  return { files: files.slice(0, LISTED_FILES), total };
}

function splitAtNulls(bytes: Buffer): string[] {
  const fields: string[] = [];
  let from = 0;
  for (let to = bytes.indexOf(0); to !== -1; to = bytes.indexOf(0, from)) {
    fields.push(bytes.toString('utf8', from, to));
    from = to + 1;
  }
  return fields;
}
