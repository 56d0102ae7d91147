// An interactive chat. Ctrl-C stops the current answer; at the prompt it ends the conversation. A line that begins with a
// slash is one of the commands below, or stands for the saved prompt of that name.
import { createInterface } from 'node:readline/promises';
import type { Account } from '../account.ts';
import type { Cli } from '../define-command.ts';
import { describeFailure } from '../describe-failure.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { answerInPieces, type ChatMessage, type ChatPrompt } from './answer-question.ts';
import { type AnswerWriter, writeAnswer } from './write-answer.ts';

const COMMANDS = [
  ['/help', 'show this list'],
  ['/retry', 'ask the last question again, for another answer'],
  ['/name', 'ask with the saved prompt of that name; its variables are asked for'],
  ['/exit', 'quit, like Ctrl-D'],
  ['Ctrl-C', 'stop the answer; at the prompt, quit'],
] as const;

export async function converse(
  { host, output }: Cli,
  account: Account,
  { messages: first, ...question }: ChatPrompt,
  raw: boolean | undefined,
): Promise<void> {
  const messages: ChatMessage[] = [...first];
  const lines = createInterface({ input: host.stdin, output: host.stdout, terminal: true });
  /** An answer, or a prompt that is being filled in. */
  let underWay: AbortController | undefined;
  lines.on('SIGINT', () => (underWay ? underWay.abort() : lines.close()));
  let last: string | undefined;
  const left = new AbortController();
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  lines.once('close', () => left.abort());
  output.say(`Chatting with ${question.model}. /help lists what you can type besides questions.`);
  try {
    for (;;) {
      const typed = await Promise.race([closed, lines.question(output.paint('cyan', 'you > '))]);
      if (typed === undefined) return output.write('\n');
      if (typed.trim() === '/exit') return;
      if (typed.trim() === '') continue;
      if (typed.trim() === '/help') {
        output.table(['', ''], COMMANDS);
        continue;
      }
      const isRetry = typed.trim() === '/retry';
      if (isRetry && last === undefined) {
        output.say('There is no question yet.');
        continue;
      }
      underWay = new AbortController();
      const signal = AbortSignal.any([underWay.signal, left.signal]);
      const asked = isRetry
        ? last
        : await withPrompt(account, typed, (text) => lines.question(text, { signal })).catch((error: unknown) =>
            signal.aborted ? undefined : explain(error, output.say),
          );
      if (asked === undefined) {
        underWay = undefined;
        continue;
      }
      if (isRetry) dropAnswer(messages, asked);
      last = asked;
      messages.push({ role: 'user', content: asked });
      const writer = await writeAnswer(output, raw);
      const text = await sayAnswer(account, { ...question, messages }, underWay.signal, writer).catch(
        (error: unknown) => explain(error, output.say),
      );
      underWay = undefined;
      // An unanswered question is dropped, not sent along with the next one.
      if (!text) messages.pop();
      else messages.push({ role: 'assistant', content: text });
    }
  } finally {
    lines.close();
  }
}

/** A question that starts with /name stands for a saved prompt; its variables are asked for. */
async function withPrompt(
  account: Account,
  typed: string,
  ask: (question: string) => Promise<string>,
): Promise<string> {
  const { fillCalled, findPrompt, readCall } = await import('../prompts/find-prompt.ts');
  const called = readCall(typed);
  if (called === undefined) return typed;
  return fillCalled(await findPrompt(account, called.name), called.rest, {}, (name, byDefault) =>
    ask(byDefault === undefined || byDefault === '' ? `${name}: ` : `${name} [${byDefault}]: `),
  );
}

/** The last question is asked again: its answer, if it has one, is no longer part of the conversation. */
function dropAnswer(messages: ChatMessage[], asked: string): void {
  const [question, answer] = messages.slice(-2);
  if (question?.role === 'user' && question.content === asked && answer?.role === 'assistant') messages.splice(-2);
}

async function sayAnswer(
  account: Account,
  question: ChatPrompt,
  signal: AbortSignal,
  writer: AnswerWriter,
): Promise<string> {
  let said = '';
  try {
    const { pieces } = await answerInPieces(account, question, signal);
    for await (const { text } of pieces) {
      said += text;
      writer.push(text);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    writer.push(' [stopped]');
  }
  writer.end();
  return said;
}

function explain(error: unknown, say: (text: string) => void): undefined {
  if (!(error instanceof Failure) || error.exit === EXIT.signedOut) throw error;
  say(describeFailure(error));
  return undefined;
}
