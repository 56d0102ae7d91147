// What answers use besides CommonMark and tables: footnotes, task lists, `<br>`, and references whose definition is
// still to come.
import type { MarkdownIt } from 'markdown-it';
import { completeInline } from './complete-inline.ts';

type BlockRule = Parameters<MarkdownIt['block']['ruler']['push']>[1];
type InlineRule = Parameters<MarkdownIt['inline']['ruler']['push']>[1];
type CoreRule = Parameters<MarkdownIt['core']['ruler']['push']>[1];

const NOTE = /^\[\^([^\s\][]{1,100})\]/;
const NOTE_START = /^\[\^([^\s\][]{1,100})\]:[ \t]*/;

const noteLabel = (label: string): string => label.toUpperCase();

/** `[^a]` of a note that exists; while the text grows, of any. */
const footnoteReference: InlineRule = (state, silent) => {
  const [whole, label] = NOTE.exec(state.src.slice(state.pos, state.pos + 110)) ?? [];
  if (whole === undefined || label === undefined || state.pos + whole.length > state.posMax) return false;
  const { notes, isLive } = state.env as { notes?: ReadonlySet<string>; isLive?: boolean };
  if (isLive !== true && notes?.has(noteLabel(label)) !== true) return false;
  if (!silent) state.push('footnote_reference', '', 0).content = noteLabel(label);
  state.pos += whole.length;
  return true;
};

/** `[^a]: text`, continued by indented lines. */
const footnoteDefinition: BlockRule = (state, startLine, endLine, silent) => {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const [whole, label] = NOTE_START.exec(state.src.slice(start, state.eMarks[startLine])) ?? [];
  if (whole === undefined || label === undefined || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  if (silent) return true;
  const env = state.env as { notes?: Set<string> };
  (env.notes ??= new Set()).add(noteLabel(label));
  const open = state.push('footnote_open', '', 1);
  open.content = noteLabel(label);
  const map: [number, number] = [startLine, startLine];
  open.map = map;
  const { blkIndent, parentType } = state;
  const line = [state.bMarks[startLine] ?? 0, state.tShift[startLine] ?? 0, state.sCount[startLine] ?? 0] as const;
  state.bMarks[startLine] = start + whole.length;
  state.tShift[startLine] = 0;
  state.sCount[startLine] = blkIndent + 4;
  state.blkIndent += 4;
  state.parentType = 'footnote';
  state.md.block.tokenize(state, startLine, endLine);
  [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] = line;
  state.blkIndent = blkIndent;
  state.parentType = parentType;
  map[1] = state.line;
  state.push('footnote_close', '', -1);
  return true;
};

/** The only tag that has an effect: it is how a cell of a table gets a second line. */
const lineBreak: InlineRule = (state, silent) => {
  const whole = /^<br\s{0,3}\/?>/i.exec(state.src.slice(state.pos, state.pos + 9))?.[0];
  if (whole === undefined) return false;
  if (!silent) state.push('hardbreak', 'br', 0);
  state.pos += whole.length;
  return true;
};

/** `[text][label]` before its definition has arrived, as the text it will be. */
const pendingReference: InlineRule = (state, silent) => {
  if (state.env.isLive !== true || /[\p{L}\p{N}\]]/u.test(state.src.charAt(state.pos - 1))) return false;
  const [whole, label] =
    /^\[([^\][\n]{1,200})\]\[[^\][\n]{1,100}\]/.exec(state.src.slice(state.pos, state.pos + 310)) ?? [];
  if (whole === undefined || label === undefined || !/\p{L}/u.test(label)) return false;
  if (!silent) state.pending += label;
  state.pos += whole.length;
  return true;
};

/** `[ ]` and `[x]` at the beginning of an item. */
const taskItems: CoreRule = ({ tokens }) => {
  tokens.forEach((token, at) => {
    const before = tokens[at - 2];
    const mark = token.type === 'inline' ? /^\[([ xX])\](?:[ \t]+|$)/.exec(token.content) : null;
    if (mark === null || before?.type !== 'list_item_open' || tokens[at - 1]?.type !== 'paragraph_open') return;
    before.meta = { checked: mark[1] !== ' ' };
    token.content = token.content.slice(mark[0].length);
  });
};

/** Closes what the end of a growing text leaves open. */
const completeEnd: CoreRule = ({ tokens, env }) => {
  const last = env.isEnd === true ? tokens.findLast(({ nesting }) => nesting >= 0) : undefined;
  if (last?.type === 'inline') last.content = completeInline(last.content);
};

export function answerRules(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'footnote_reference', footnoteReference);
  md.inline.ruler.after('link', 'pending_reference', pendingReference);
  md.inline.ruler.before('autolink', 'line_break', lineBreak);
  md.block.ruler.before('reference', 'footnote', footnoteDefinition, { alt: ['paragraph', 'reference'] });
  md.core.ruler.after('block', 'task_items', taskItems);
  md.core.ruler.after('task_items', 'complete_end', completeEnd);
}
