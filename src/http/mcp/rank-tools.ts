import type { ListedTool } from '../../tools/list-tools.ts';

/** Tools that share a word with the query, best first: a word of the name counts more than one of the description. */
export function rankTools(tools: readonly ListedTool[], query: string): ListedTool[] {
  const wanted = [...new Set(words(query))];
  return tools
    .map((listed) => ({ listed, score: score(listed, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.listed.name < b.listed.name ? -1 : 1))
    .map(({ listed }) => listed);
}

function score({ name, connection, tool }: ListedTool, wanted: readonly string[]): number {
  const named = words(name);
  const described = words(tool.description);
  return wanted.reduce(
    (sum, word) => sum + (connection.provider === word ? 6 : 0) + best(named, word) * 4 + best(described, word),
    0,
  );
}

/** 1 for the word itself, a half for one that begins like it: "issue" finds "issues". */
function best(among: readonly string[], word: string): number {
  if (among.includes(word)) return 1;
  return word.length >= 3 &&
    among.some((other) => other.startsWith(word) || (other.length >= 3 && word.startsWith(other)))
    ? 0.5
    : 0;
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
