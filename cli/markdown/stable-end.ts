// Up to where the text of a growing paragraph can be shown: what follows must not change how the part before it looks.

/** The end of the part that is settled: the last space outside of any mark, because the last word may go on. */
export function stableEnd(text: string): number {
  let settled = 0;
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at] ?? '')) settled = at;
    const next = skipMark(text, at);
    // The first mark whose other half has not arrived.
    if (next === undefined) break;
    at = next;
  }
  return settled;
}

/** The place after the construct that begins here; undefined if it is not complete. */
function skipMark(text: string, at: number): number | undefined {
  const mark = text[at] ?? '';
  if (mark === '\\') return at + 1 < text.length ? at + 2 : undefined;
  if (mark === '`') return skipRun(text, at, mark);
  if (mark === '*' || mark === '_' || mark === '~') return skipEmphasis(text, at, mark);
  if (mark === '[' || mark === '!') return skipLink(text, at, mark);
  if (mark === '<' || mark === '&') return skipUntil(text, at, mark === '<' ? '>' : ';');
  return at + 1;
}

function runAt(text: string, at: number, mark: string): number {
  let end = at;
  while (text[end] === mark) end++;
  return end - at;
}

/** Code: the same number of backticks ends it. */
function skipRun(text: string, at: number, mark: string): number | undefined {
  const length = runAt(text, at, mark);
  for (let i = at + length; i < text.length;) {
    const other = runAt(text, i, mark);
    // A run at the end may still grow.
    if (other === length && i + other < text.length) return i + other;
    i += Math.max(1, other);
  }
  return undefined;
}

function skipEmphasis(text: string, at: number, mark: string): number | undefined {
  const length = runAt(text, at, mark);
  const after = text[at + length];
  if (after === undefined) return undefined;
  const isInWord = mark === '_' && /\w/.test(text[at - 1] ?? ' ') && /\w/.test(after);
  if (/\s/.test(after) || isInWord) return at + length;
  for (let i = at + length; i < text.length;) {
    const other = runAt(text, i, mark);
    if (other === 0) i++;
    else if (/\s/.test(text[i - 1] ?? ' ')) {
      const inner = skipEmphasis(text, i, mark);
      if (inner === undefined) return undefined;
      i = inner;
    } else if (other === length && i + other < text.length) return i + other;
    else i += other;
  }
  return undefined;
}

function skipLink(text: string, at: number, mark: string): number | undefined {
  if (mark === '!') return at + 1 === text.length ? undefined : at + 1;
  const close = text.indexOf(']', at);
  if (close < 0 || close + 1 === text.length) return undefined;
  if (text[close + 1] !== '(') return at + 1;
  const end = text.indexOf(')', close);
  return end < 0 ? undefined : end + 1;
}

/** An address or an entity; neither has a space in it. */
function skipUntil(text: string, at: number, closing: string): number | undefined {
  const [rest = ''] = /^[^\s;>]*/.exec(text.slice(at + 1)) ?? [];
  const next = text[at + 1 + rest.length];
  if (next === undefined) return undefined;
  return next === closing ? at + rest.length + 2 : at + 1;
}
