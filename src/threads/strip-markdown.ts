// What one reads of a Markdown text, for places that show a line of it: titles and search results. Marks go, words stay,
// in their order. It is no parser: a mark in a strange place may stay, and nothing here takes longer than its text.

const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)/;
const LINK = /!?\[([^[\]\n]*)\]\([^()\s]*(?:[ \t]+"[^"\n]*")?\)/g;
const LINE_START = /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[*+-][ \t]+(?:\[[ xX]\][ \t]+)?)?/;
/** A rule, or what is below the head of a table. */
const LINE_OF_MARKS = /^[ \t|:=-]+$/;
const EMPHASIS = /(?<!\\)(?:(?:\*+|~~)(?=\S)|(?<=\S)(?:\*+|~~))/g;
/** Within a word it is part of the word. */
const UNDERSCORES = /(?<![\p{L}\p{N}_\\])_+(?=[^\s_])|(?<=[^\s_\\])_+(?![\p{L}\p{N}_])/gu;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

export function stripMarkdown(text: string): string {
  return text
    .split(CODE)
    .map((piece, index) => (index % 2 === 0 ? stripMarks(piece, index === 0) : stripFence(piece)))
    .join('');
}

function stripFence(code: string): string {
  return code.startsWith('```') ? code.replace(/^```[^\n]*\n?/, '').replace(/```$/, '') : code.slice(1, -1);
}

function stripMarks(text: string, isStart: boolean): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 && !isStart ? stripInline(line) : stripLine(line)))
    .join('\n');
}

function stripLine(line: string): string {
  if (LINE_OF_MARKS.test(line)) return '';
  const rest = line.replace(LINE_START, '');
  return stripInline(rest.startsWith('|') ? rest.replaceAll('|', ' ') : rest);
}

function stripInline(line: string): string {
  return line.replaceAll(LINK, '$1').replaceAll(EMPHASIS, '').replaceAll(UNDERSCORES, '').replaceAll(ESCAPE, '$1');
}
