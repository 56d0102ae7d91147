import type { Message } from '../../../../src/contract/threads.ts';

/** The text of a message, without reasoning and attachments. */
export function textOf({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n');
}
