// A saved prompt in a message: what is being typed after a slash at its start, and its matches.
import type { Prompt } from '../../../../src/contract/prompts.ts';

const TYPED = /^\/([a-z0-9-]{0,48})$/i;
const MOST = 8;

/** What is typed after the slash, if the caret is in the first word and that starts with one. */
export function findCommand(text: string, caret: number): string | undefined {
  return caret > 50 ? undefined : TYPED.exec(text.slice(0, caret))?.[1]?.toLowerCase();
}

/** Names that start with it come first, then names and texts that contain it. */
export function offerPrompts(prompts: readonly Prompt[], query: string): readonly Prompt[] {
  const rank = ({ name, text }: Prompt): number => {
    if (name.startsWith(query)) return 0;
    if (name.includes(query)) return 1;
    return text.toLowerCase().includes(query) ? 2 : 3;
  };
  return prompts
    .filter((prompt) => rank(prompt) < 3)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST);
}

/** The message with the prompt in place of what was typed, and the new caret position. */
export function putPrompt(text: string, query: string, filled: string): { text: string; caret: number } {
  const rest = text.slice(query.length + 1).trimStart();
  return { text: rest === '' ? filled : `${filled.trimEnd()}\n\n${rest}`, caret: filled.trimEnd().length };
}
