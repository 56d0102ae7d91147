// A Responses client asks for a shorter conversation by the item `compaction_trigger` and gets an item `compaction`, which
// stands for what came before when it is sent back. OpenAI's models make it themselves; any other is asked for a summary.
import { openSummary } from '../reasoning-seal.ts';
import type { Loose } from '../read-fields.ts';

export const SUMMARY_REQUEST = `Write a summary of this conversation for the model that will continue it and will see nothing else of it. Call no tools. Include:
- what the user wants, with every requirement, preference and decision that still holds
- what was done, with the names of files, functions, commands and values, and what was learned from them
- what is left to do, in order, beginning with the next step
Answer with the summary alone.`;

/** What is told of the conversation before; undefined if the item was made elsewhere. */
export function readSummary({ encrypted_content: sealed }: Loose): string | undefined {
  const summary = openSummary(sealed);
  return summary === undefined ? undefined : `This is a summary of the conversation before this point:\n\n${summary}`;
}
