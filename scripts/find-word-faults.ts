// Finds words that this project does not use, in code, comments and documentation. They read as translated, or there is
// a plainer word; the table says which.
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A pattern in lower case and the words to use instead. A space also matches a line break inside a comment. */
export const WORDS: readonly { readonly pattern: string; readonly better: string }[] = [
  { pattern: 'anew', better: 'again' },
  { pattern: 'mend(?:s|ed|ing)?', better: 'fix' },
  { pattern: 'whoever', better: 'anyone who, the caller, the user who' },
  { pattern: 'if it stays', better: 'if it keeps happening' },
  { pattern: 'for who is', better: 'for anyone who is' },
  { pattern: 'any more', better: 'no longer; or say how many: "further", "more than one"' },
  { pattern: 'e-mail(?:s|ed|ing)?', better: 'email' },
];

/** Texts that contain one of the words and must stay as they are, each with the reason. */
export const ALLOWED: Readonly<Record<string, string>> = {
  "getByLabel('E-Mail')": 'a label of the German app',
};

export function findWordFaults(
  files: readonly TextFile[],
  allowed: readonly string[] = Object.keys(ALLOWED),
): string[] {
  return files.flatMap(({ path, text }) => {
    const judged = allowed.reduce((rest, literal) => rest.replaceAll(literal, (found) => blank(found)), text);
    return WORDS.flatMap(({ pattern, better }) =>
      [...judged.matchAll(toExpression(pattern))].map(({ 0: found, index }) => ({ found, index, better })),
    )
      .toSorted((a, b) => a.index - b.index)
      .map(({ found, index, better }) => `${path}:${lineAt(judged, index)}: "${plain(found)}", better: ${better}`);
  });
}

const COMMENT_BREAK = String.raw`\s+(?:(?://|\*|#|--)\s+)?`;

function toExpression(pattern: string): RegExp {
  return new RegExp(String.raw`(?<![\w-])${pattern.replaceAll(' ', COMMENT_BREAK)}(?![\w-])`, 'gi');
}

/** Spaces of the same length, so that line numbers stay right. */
function blank(found: string): string {
  return found.replaceAll(/[^\n]/g, ' ');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function plain(found: string): string {
  return found.replaceAll(new RegExp(COMMENT_BREAK, 'g'), ' ');
}
