// What a path would mean to the most lenient parser: percent-decoded until nothing changes, backslashes read as
// slashes, runs of slashes as one. The gateway decides on this form and forwards what the client wrote, so no other
// spelling of a path reaches what the plain spelling may not.

const MAX_ROUNDS = 10;

// A path without any of these is already canonical; nearly all are.
const DOUBTFUL = /[%\\#\0-\x20\x7f]|\/[./]/;
const CONTROL = /[^\x20-\x7e\x80-\xff]/;
const DOT_SEGMENT = /(?:^|[/\\])\.\.?(?:[/\\?#]|$)/;

/** Undefined for a path that no honest client sends: dot segments, control characters, a raw backslash or fragment. */
export function canonicalPath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  if (!DOUBTFUL.test(path)) return path;
  if (/[\\#]/.test(path)) return undefined;
  let text = path;
  for (let round = 0; ; round++) {
    if (CONTROL.test(text) || DOT_SEGMENT.test(text)) return undefined;
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (decoded === text) break;
    if (round === MAX_ROUNDS) return undefined;
    text = decoded;
  }
  return text.replace(/[?#].*$/s, '').replace(/[/\\]+/g, '/');
}
