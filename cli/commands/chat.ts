import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import { answerInPieces, answerWhole, type ChatMessage, type Question } from '../chat/answer-question.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { usage } from '../failure.ts';
import { printable } from '../output.ts';

interface Options extends Common {
  readonly model: string;
  readonly system?: string;
  readonly workspace?: string;
  readonly stream?: boolean;
}

export function addChat(program: Command, cli: Cli): void {
  defineCommand(program, { name: 'chat [question]', summary: 'Ask a model; without a question, talk to it on the terminal', example: 'git diff | servicectl chat "Review this change" --model service/auto' })
    .option('--model <model>', 'model id, see: servicectl models', 'service/auto')
    .option('--system <text>', 'instructions that come before the question')
    .option('--stream', 'print the answer as it is written (on a terminal it always is)')
    .option(...WORKSPACE)
    .action((question: string | undefined, options: Options) => chat(cli, question, options));
}

async function chat(cli: Cli, given: string | undefined, options: Options): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  requireToken(account);
  const system: ChatMessage[] = options.system === undefined ? [] : [{ role: 'system', content: options.system }];
  const base = { model: options.model, workspace: options.workspace };
  // A terminal is asked nothing when a question was given; what is piped in always belongs to the question.
  const piped = host.stdin.isTTY ? '' : await (await import('../read-input.ts')).readStdin(host);
  const content = [given ?? '', piped.trim()].filter((part) => part !== '').join('\n\n');
  if (content === '') {
    if (!output.interactive || options.json) throw usage('there is no question', 'For example: servicectl chat "What is a receipt?"');
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
  for await (const { text, chunk } of answerInPieces(account, question)) {
    if (json) output.line(JSON.stringify(chunk));
    else output.write(output.watched ? printable(text) : text);
  }
  if (!json) output.write('\n');
}
