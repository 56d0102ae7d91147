// Parses inline markdown: emphasis, code, links. Unclosed delimiters are text. Failed searches are remembered, so that a
// thousand stars take a thousand steps, not a million.
import { safeHref } from './safe-href.ts';

export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis' | 'strike'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly type: 'break' };

/** Longer texts are shown unparsed. */
const MOST_CHARACTERS = 20_000;
const DEEPEST = 6;
const SPECIAL = /[\\`*_~[!<h\n]/g;
const DELIMITERS = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'strike'],
  ['*', 'emphasis'],
  ['_', 'emphasis'],
] as const;

interface Found {
  readonly node: Inline;
  readonly end: number;
}

export function parseInline(text: string, depth = 0): Inline[] {
  if (text.length > MOST_CHARACTERS || depth > DEEPEST) return [{ type: 'text', text }];
  const nodes: Inline[] = [];
  const missing = new Set<string>();
  let plain = '';
  const flush = (): void => {
    if (plain !== '') nodes.push({ type: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length;) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at >= text.length) break;
    const escaped = text[at] === '\\' ? /^[!-/:-@[-`{-~]/.exec(text.slice(at + 1, at + 2))?.[0] : undefined;
    const broken = lineBreak(text, at, plain);
    const found = broken ?? (escaped === undefined ? parseAt(text, at, depth, missing) : undefined);
    if (found) {
      if (broken) plain = plain.trimEnd();
      flush();
      nodes.push(found.node);
      at = found.end;
    } else {
      const run = escaped ?? runAt(text, at);
      plain += run;
      at += escaped === undefined ? run.length : 2;
    }
  }
  flush();
  return nodes;
}

/** Two spaces or a backslash at the end of a line. */
function lineBreak(text: string, at: number, before: string): Found | undefined {
  if (text[at] === '\\' && text[at + 1] === '\n') return { node: { type: 'break' }, end: at + 2 };
  return text[at] === '\n' && before.endsWith('  ') ? { node: { type: 'break' }, end: at + 1 } : undefined;
}

/** Backticks that open no code span are text. */
function runAt(text: string, at: number): string {
  return (text[at] === '`' ? /^`+/.exec(text.slice(at))?.[0] : undefined) ?? text.charAt(at);
}

function parseAt(text: string, at: number, depth: number, missing: Set<string>): Found | undefined {
  const character = text[at];
  if (character === '`') return parseCode(text, at, missing);
  if (character === '[' || (character === '!' && text[at + 1] === '[')) return parseLink(text, at, depth, missing);
  if (character === '<') return parseAngle(text, at);
  if (character === 'h') return parseBareLink(text, at);
  return parseDelimited(text, at, depth, missing);
}

function parseCode(text: string, at: number, missing: Set<string>): Found | undefined {
  const ticks = runAt(text, at);
  if (missing.has(ticks)) return undefined;
  for (let close = text.indexOf(ticks, at + ticks.length); close >= 0;) {
    const run = runAt(text, close);
    if (run.length === ticks.length) {
      const inner = text.slice(at + ticks.length, close).replaceAll('\n', ' ');
      return {
        node: { type: 'code', text: /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner },
        end: close + ticks.length,
      };
    }
    close = text.indexOf(ticks, close + run.length);
  }
  missing.add(ticks);
  return undefined;
}

function parseDelimited(text: string, at: number, depth: number, missing: Set<string>): Found | undefined {
  for (const [mark, type] of DELIMITERS) {
    if (!text.startsWith(mark, at) || missing.has(mark)) continue;
    const start = at + mark.length;
    if (/^\s|^$/.test(text.slice(start, start + 1))) continue;
    // Underscores inside a word are literal.
    if (mark.startsWith('_') && /\w/.test(text.charAt(at - 1))) continue;
    const close = findClose(text, start, mark);
    if (close === undefined) {
      missing.add(mark);
      continue;
    }
    return { node: { type, children: parseInline(text.slice(start, close), depth + 1) }, end: close + mark.length };
  }
  return undefined;
}

function findClose(text: string, start: number, mark: string): number | undefined {
  const single = mark.length === 1;
  for (let close = text.indexOf(mark, start + 1); close >= 0; close = text.indexOf(mark, close + 1)) {
    // Two marks are the other delimiter; three close both, the inner one first.
    if (single && (text[close + 1] === mark || text[close - 1] === mark)) {
      while (text[close + 1] === mark) close += 1;
      continue;
    }
    const end = !single && text[close + 2] === mark[0] ? close + 1 : close;
    if (/\s/.test(text.charAt(end - 1))) continue;
    if (mark.startsWith('_') && /\w/.test(text.charAt(end + mark.length))) continue;
    return end;
  }
  return undefined;
}

/** Images become links, so that an answer cannot make the page load anything. */
function parseLink(text: string, at: number, depth: number, missing: Set<string>): Found | undefined {
  if (missing.has('](')) return undefined;
  const start = at + (text[at] === '!' ? 2 : 1);
  const middle = text.indexOf('](', start);
  if (middle < 0) {
    missing.add('](');
    return undefined;
  }
  const target = /^\(\s*<?((?:[^\s()<>\\]|\\.|\([^\s()]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/.exec(
    text.slice(middle + 1, middle + 2_100),
  );
  const label = text.slice(start, middle);
  if (!target || label.split('[').length !== label.split(']').length) return undefined;
  const href = safeHref(target[1] ?? '');
  const children = parseInline(label === '' ? (target[1] ?? '') : label, depth + 1);
  const end = middle + 1 + target[0].length;
  return href === undefined
    ? { node: { type: 'text', text: text.slice(at, end) }, end }
    : { node: { type: 'link', href, children }, end };
}

function parseAngle(text: string, at: number): Found | undefined {
  const [whole, inner = ''] = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/i.exec(text.slice(at, at + 2_002)) ?? [];
  const href = whole === undefined ? undefined : safeHref(inner);
  return whole === undefined || href === undefined
    ? undefined
    : { node: { type: 'link', href, children: [{ type: 'text', text: inner }] }, end: at + whole.length };
}

function parseBareLink(text: string, at: number): Found | undefined {
  if (!/^https?:\/\//.test(text.slice(at, at + 8)) || /\w/.test(text.charAt(at - 1))) return undefined;
  const [found = ''] = /^[^\s<>"`*]+/.exec(text.slice(at, at + 2_000)) ?? [];
  const bare = trimLink(found);
  const href = safeHref(bare);
  return href === undefined
    ? undefined
    : { node: { type: 'link', href, children: [{ type: 'text', text: bare }] }, end: at + bare.length };
}

/** Trailing punctuation belongs to the sentence; so does a bracket that the address did not open. */
function trimLink(link: string): string {
  let bare = link;
  for (;;) {
    const cut = /[.,;:!?'_~\]]$/.test(bare) || (bare.endsWith(')') && bare.split('(').length < bare.split(')').length);
    if (!cut) return bare;
    bare = bare.slice(0, -1);
  }
}
