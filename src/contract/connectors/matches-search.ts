// Which apps a search finds, in the web app and on the command line. Pure.

interface SearchedApp {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly purpose?: string | undefined;
  readonly words?: readonly string[] | undefined;
}

/**
 * Every word of the search is part of the app's name, id or category, or begins a word of what it is for: "hr" finds
 * BambooHR and Greenhouse, not every app that works through something.
 */
export function matchesSearch(app: SearchedApp, search: string): boolean {
  const named = [app.name, app.id, app.category].join(' ').toLowerCase();
  const described = wordsOf([app.purpose ?? '', ...(app.words ?? [])].join(' '));
  return wordsOf(search).every((word) => named.includes(word) || described.some((other) => other.startsWith(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
