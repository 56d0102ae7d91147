import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import {
  answerInPieces,
  answerWhole,
  type ChatMessage,
  describePayment,
  type ChatPrompt,
} from '../chat/answer-question.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { usage } from '../failure.ts';
import { printable } from '../output.ts';

interface Options extends Common {
  readonly model: string;
  readonly system?: string;
  readonly workspace?: string;
  readonly stream?: boolean;
}

const STDIN = '-';

export function addChat(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'chat [question...]',
    summary:
      'Ask a model a question; - appends standard input to it. Without a question, reads standard input or starts an interactive chat',
    example: 'git diff | servicectl chat "Review this change" - --model service/auto',
  })
    .option('--model <model>', 'model ID; see servicectl models', 'service/auto')
    .option('--system <text>', 'system instructions')
    .option('--stream', 'print the answer as it arrives (always on in a terminal)')
    .option(...WORKSPACE)
    .action((words: string[], options: Options) => chat(cli, words, options));
}

async function chat(cli: Cli, words: readonly string[], options: Options): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  requireToken(account);
  const system: ChatMessage[] = options.system === undefined ? [] : [{ role: 'system', content: options.system }];
  const base = { model: options.model, workspace: options.workspace };
  // Standard input may be a pipe that never ends, so it is not read when the question is complete.
  const reads = words.includes(STDIN) || (words.length === 0 && !host.stdin.isTTY);
  const piped = reads ? await (await import('../read-input.ts')).readStdin(host) : '';
  const content = [words.filter((word) => word !== STDIN).join(' '), piped]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
  if (content === '') {
    if (!output.interactive || options.json)
      throw usage('there is no question', 'For example: servicectl chat "What is a receipt?"');
    const { converse } = await import('../chat/converse.ts');
    return converse(cli, account, { ...base, messages: system });
  }
  return answer(cli, account, { ...base, messages: [...system, { role: 'user', content }] }, options);
}

async function answer(
  { output }: Cli,
  account: Account,
  question: ChatPrompt,
  { json, stream }: Options,
): Promise<void> {
  if (!stream && (json || !output.watched)) {
    const { text, body } = await answerWhole(account, question);
    return json ? output.json(body) : output.line(text);
  }
  const { payment, pieces } = await answerInPieces(account, question);
  for await (const { text, chunk } of pieces) {
    if (json) output.jsonLine(chunk);
    else output.write(output.watched ? printable(text) : text);
  }
  if (json) return;
  output.write('\n');
  // In a pipe only the answer is printed; scripts find this in --json.
  if (output.watched && payment) output.say(`(${describePayment(payment)})`);
}
