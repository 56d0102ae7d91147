// An interactive chat. Ctrl-C stops the current answer; at the prompt it ends the conversation.
import { createInterface } from 'node:readline/promises';
import type { Account } from '../account.ts';
import type { Cli } from '../define-command.ts';
import { describeFailure } from '../describe-failure.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { printable } from '../output.ts';
import { answerInPieces, type ChatMessage, type ChatPrompt } from './answer-question.ts';

export async function converse(
  { host, output }: Cli,
  account: Account,
  { messages: first, ...question }: ChatPrompt,
): Promise<void> {
  const messages: ChatMessage[] = [...first];
  const lines = createInterface({ input: host.stdin, output: host.stdout, terminal: true });
  let answering: AbortController | undefined;
  lines.on('SIGINT', () => (answering ? answering.abort() : lines.close()));
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  output.say(`Chatting with ${question.model}. Type /exit or press Ctrl-D to quit; Ctrl-C stops an answer.`);
  try {
    for (;;) {
      const asked = await Promise.race([lines.question(output.paint('cyan', 'you > ')), closed]);
      if (asked === undefined) return output.write('\n');
      if (asked.trim() === '/exit') return;
      if (asked.trim() === '') continue;
      messages.push({ role: 'user', content: asked });
      answering = new AbortController();
      const text = await sayAnswer(account, { ...question, messages }, answering.signal, output.write).catch(
        (error: unknown) => explain(error, output.say),
      );
      answering = undefined;
      // An unanswered question is dropped, not sent along with the next one.
      if (!text) messages.pop();
      else messages.push({ role: 'assistant', content: text });
    }
  } finally {
    lines.close();
  }
}

async function sayAnswer(
  account: Account,
  question: ChatPrompt,
  signal: AbortSignal,
  write: (text: string) => void,
): Promise<string> {
  let said = '';
  try {
    const { pieces } = await answerInPieces(account, question, signal);
    for await (const { text } of pieces) {
      said += text;
      write(printable(text));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    write(' [stopped]');
  }
  write('\n');
  return said;
}

function explain(error: unknown, say: (text: string) => void): undefined {
  if (!(error instanceof Failure) || error.exit === EXIT.signedOut) throw error;
  say(describeFailure(error));
  return undefined;
}
