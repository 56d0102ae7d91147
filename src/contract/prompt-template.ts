// Variables of a saved prompt or recipe: `{{name}}`, or `{{name:default}}`. A name starts with a letter and has letters,
// digits, spaces, hyphens and underscores; everything else between braces is plain text. Used by the server, the browser
// and servicectl, so it is free of schemas.

export interface PromptVariable {
  readonly name: string;
  /** Used if nothing is filled in; undefined if the prompt gives none. */
  readonly byDefault: string | undefined;
}

const LONGEST_NAME = 50;
/** A default ends at the first closing braces and may be empty. */
const VARIABLE = /\{\{[ \t]*(\p{L}[\p{L}\p{N} _-]*?)[ \t]*(?::([^{}]*))?\}\}/gu;

/** Each variable once, in the order of first use. The first default given for a name counts everywhere. */
export function findVariables(text: string): PromptVariable[] {
  const found = new Map<string, string | undefined>();
  for (const [, name = '', byDefault] of text.matchAll(VARIABLE))
    if (name.length <= LONGEST_NAME && found.get(name) === undefined) found.set(name, byDefault?.trim());
  return [...found].map(([name, byDefault]) => ({ name, byDefault }));
}

/** How many places of the text are filled in; a variable that is used twice has two. */
export function countPlaces(text: string): number {
  return [...text.matchAll(VARIABLE)].length;
}

/** The text with every variable replaced: by what was filled in, otherwise by its default, otherwise by nothing. */
export function fillPrompt(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const known = new Map(
    findVariables(text).map(({ name, byDefault }) => [
      name,
      Object.hasOwn(values, name) && values[name] ? values[name] : (byDefault ?? ''),
    ]),
  );
  return text.replaceAll(VARIABLE, (written, name: string) => known.get(name) ?? written);
}

/** A name for a prompt, from its first words. */
export function suggestPromptName(text: string): string {
  const words = text
    .slice(0, 200)
    .replaceAll(VARIABLE, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).slice(0, 4).join('-').slice(0, 48).replace(/-+$/, '');
}
