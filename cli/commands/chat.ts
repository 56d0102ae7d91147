import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import {
  answerInPieces,
  answerWhole,
  type ChatMessage,
  describePayment,
  type Question,
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
      'Ask a model; - adds what is piped in to the question; without a question, ask what is piped in, or talk on the terminal',
    example: 'git diff | servicectl chat "Review this change" - --model service/auto',
  })
    .option('--model <model>', 'model id, see: servicectl models', 'service/auto')
    .option('--system <text>', 'instructions that come before the question')
    .option('--stream', 'print the answer as it is written (on a terminal it always is)')
    .option(...WORKSPACE)
    .action((words: string[], options: Options) => chat(cli, words, options));
}

async function chat(cli: Cli, words: readonly string[], options: Options): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  requireToken(account);
  const system: ChatMessage[] = options.system === undefined ? [] : [{ role: 'system', content: options.system }];
  const base = { model: options.model, workspace: options.workspace };
  // Whoever starts this program may leave it a pipe that never ends, so a question that is complete waits for nothing.
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

async function answer({ output }: Cli, account: Account, question: Question, { json, stream }: Options): Promise<void> {
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
  // In a pipe there is no line but the answer's; --json has it for scripts.
  if (output.watched && payment) output.say(`(${describePayment(payment)})`);
}
