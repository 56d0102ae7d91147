// Reads a patch in git's format. Its author has chosen the names and the lines: nothing here trusts them, and a patch
// that is not well formed is read as far as it goes.

export interface PatchLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  readonly text: string;
  /** Its number before and after; absent where it is not there. */
  readonly before?: number;
  readonly after?: number;
}

export interface Hunk {
  /** What stands behind the ranges: often the function. */
  readonly heading: string;
  readonly before: number;
  readonly after: number;
  readonly lines: readonly PatchLine[];
}

export interface FilePatch {
  /** Afterwards, or before if it is deleted. */
  readonly path: string;
  readonly from?: string;
  readonly binary: boolean;
  /** Of the new file: `120000` is a link, `160000` a submodule. */
  readonly mode?: string;
  readonly hunks: readonly Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?([^]*)$/;
const START = 'diff --git ';

export function readPatch(patch: string): FilePatch[] {
  const lines = patch.split('\n');
  const files: FilePatch[] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]?.startsWith(START) !== true) {
      at++;
      continue;
    }
    const read = readFile(lines, at);
    files.push(read.file);
    at = read.next;
  }
  return files;
}

function readFile(lines: readonly string[], start: number): { file: FilePatch; next: number } {
  const names: { path?: string; old?: string; from?: string; mode?: string } = {};
  const hunks: Hunk[] = [];
  let binary = false;
  let at = start + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith(START)) break;
    const hunk = HUNK.exec(line);
    if (hunk) {
      const read = readHunk(lines, at, hunk);
      hunks.push(read.hunk);
      at = read.next - 1;
    } else if (line.startsWith('GIT binary patch') || line.startsWith('Binary files ')) binary = true;
    else if (hunks.length === 0) readHeader(line, names);
  }
  const both = bothNames(lines[start]?.slice(START.length) ?? '');
  const path = names.path ?? names.old ?? both ?? '';
  return {
    file: {
      path,
      ...(names.from === undefined ? {} : { from: names.from }),
      ...(names.mode === undefined ? {} : { mode: names.mode }),
      binary,
      hunks,
    },
    next: at,
  };
}

function readHeader(line: string, names: { path?: string; old?: string; from?: string; mode?: string }): void {
  const after = (start: string): string | undefined => (line.startsWith(start) ? line.slice(start.length) : undefined);
  const side = (text: string | undefined): string | undefined => {
    const name = text === undefined ? undefined : unquote(text.replace(/\t$/, ''));
    return name === undefined || name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '');
  };
  const from = after('rename from ') ?? after('copy from ');
  const to = after('rename to ') ?? after('copy to ');
  const mode = after('new file mode ') ?? after('new mode ') ?? /^index [0-9a-f]+\.\.[0-9a-f]+ (\d+)$/.exec(line)?.[1];
  const [old, path] = [side(after('--- ')), side(after('+++ '))];
  if (from !== undefined) names.from = unquote(from);
  if (to !== undefined) names.path = unquote(to);
  if (mode !== undefined) names.mode = mode;
  if (old !== undefined) names.old = old;
  if (path !== undefined) names.path = path;
}

/** Of `a/<name> b/<name>`: only a file without other lines is named by it alone, and its two names are the same. */
function bothNames(text: string): string | undefined {
  if (text.startsWith('"')) {
    const end = /^"(?:[^"\\]|\\[^])*"/.exec(text)?.[0];
    return end === undefined ? undefined : unquote(end).replace(/^a\//, '');
  }
  return text.slice(2, (text.length - 1) / 2);
}

function readHunk(lines: readonly string[], start: number, head: RegExpExecArray): { hunk: Hunk; next: number } {
  const [, firstBefore = '0', countBefore = '1', firstAfter = '0', countAfter = '1', heading = ''] = head;
  let [before, after] = [Number(firstBefore), Number(firstAfter)];
  let [oldLeft, newLeft] = [Number(countBefore), Number(countAfter)];
  const read: PatchLine[] = [];
  let at = start + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [sign, text] = [line[0], line.slice(1)];
    if (sign === '\\') read.push({ kind: 'note', text: text.trim() });
    else if (oldLeft <= 0 && newLeft <= 0) break;
    else if (sign === '+') {
      read.push({ kind: 'added', text, after: after++ });
      newLeft--;
    } else if (sign === '-') {
      read.push({ kind: 'removed', text, before: before++ });
      oldLeft--;
    } else if (sign === ' ' || line === '') {
      read.push({ kind: 'same', text, before: before++, after: after++ });
      oldLeft--;
      newLeft--;
    } else break;
  }
  return { hunk: { heading, before: Number(firstBefore), after: Number(firstAfter), lines: read }, next: at };
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A name as git quotes it: in C's manner, with the bytes of other alphabets in octal. */
function unquote(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const bytes: number[] = [];
  const plain = new TextEncoder();
  for (const [part] of text.slice(1, -1).matchAll(/\\[0-7]{3}|\\[^]|[^\\]+/g)) {
    if (!part.startsWith('\\')) bytes.push(...plain.encode(part));
    else if (part.length === 4) bytes.push(Number.parseInt(part.slice(1), 8) & 0xff);
    else bytes.push(ESCAPES[part[1] ?? ''] ?? part.charCodeAt(1));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
