import { type Command, Option } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import {
  answerInPieces,
  answerWhole,
  type ChatMessage,
  describePayment,
  type ChatPrompt,
} from '../chat/answer-question.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { RAW, writeAnswer } from '../chat/write-answer.ts';
import { usage } from '../failure.ts';

interface Options extends Common {
  readonly model?: string;
  readonly project?: string;
  readonly system?: string;
  readonly workspace?: string;
  readonly stream?: boolean;
  readonly raw?: boolean;
  readonly effort?: (typeof EFFORTS)[number];
  readonly temperature?: number;
  readonly var: readonly string[];
}

const STDIN = '-';
const MODEL = 'service/auto';
/** As in the contract, whose schemas would take longer to load than everything else. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export function addChat(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'chat [question...]',
    summary:
      'Ask a model a question; - appends standard input to it, and /name at its start stands for a saved prompt. Without a question, reads standard input or starts an interactive chat',
    brief: 'Ask a model a question, or start an interactive chat',
    example: 'git diff | servicectl chat "Review this change" - --model service/auto',
  })
    .option('--model <model>', "model ID; see servicectl models (default: the project's, otherwise service/auto)")
    .option('--system <text>', 'system instructions')
    .option('--project <project>', 'ask in a project, by ID: the question becomes a chat in the web app')
    .addOption(new Option('--effort <effort>', 'how much the model reasons, if it takes an effort').choices(EFFORTS))
    .option('--temperature <number>', 'how varied the answer is, from 0 to 2, if the model takes one', readTemperature)
    .option('--var <name=value>', 'value for a variable of the prompt that /name stands for; repeatable', collect, [])
    .option(...RAW)
    .option('--stream', 'print the answer as it arrives (always on in a terminal)')
    .option(...WORKSPACE)
    .action((words: string[], options: Options) => chat(cli, words, options));
}

async function chat(cli: Cli, words: readonly string[], options: Options): Promise<void> {
  const { host, output } = cli;
  if (options.project !== undefined) refuseInProject(options);
  const account = await findAccount(host, options);
  if (options.project === undefined) requireToken(account);
  const system: ChatMessage[] = options.system === undefined ? [] : [{ role: 'system', content: options.system }];
  const base = {
    model: options.model ?? MODEL,
    workspace: options.workspace,
    ...(options.effort === undefined ? {} : { reasoning_effort: options.effort }),
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
  };
  // Standard input may be a pipe that never ends, so it is not read when the question is complete.
  const reads = words.includes(STDIN) || (words.length === 0 && !host.stdin.isTTY);
  const piped = reads ? await (await import('../read-input.ts')).readStdin(host) : '';
  const typed = [words.filter((word) => word !== STDIN).join(' '), piped]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
  if (typed === '') {
    if (!output.interactive || options.json || options.project !== undefined)
      throw usage('there is no question', 'For example: servicectl chat "What is a receipt?"');
    const { converse } = await import('../chat/converse.ts');
    return converse(cli, account, { ...base, messages: system }, options.raw);
  }
  const content = await usePrompt(account, typed, options.var);
  if (options.project !== undefined) {
    const { answerInProject } = await import('../chat/answer-in-project.ts');
    const { project, model, effort, temperature, json, stream, raw } = options;
    return answerInProject(cli, account, { project, model, text: content, effort, temperature }, { json, stream, raw });
  }
  return answer(cli, account, { ...base, messages: [...system, { role: 'user', content }] }, options);
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

async function usePrompt(account: Account, typed: string, given: readonly string[]): Promise<string> {
  if (!typed.startsWith('/') && given.length === 0) return typed;
  const { fillCalled, findPrompt, readCall, readValues } = await import('../prompts/find-prompt.ts');
  const called = readCall(typed);
  if (called === undefined) {
    if (given.length > 0) throw usage('--var needs a question that starts with the name of a prompt, such as /review');
    return typed;
  }
  const values = readValues(given);
  return fillCalled(await findPrompt(account, called.name), called.rest, values, undefined);
}

function readTemperature(given: string): number {
  const temperature = given.trim() === '' ? Number.NaN : Number(given);
  if (!(temperature >= 0 && temperature <= 2)) throw usage('--temperature takes a number from 0 to 2');
  return temperature;
}

/** The instructions and the workspace are those of the project. */
function refuseInProject({ system, workspace }: Options): void {
  if (system !== undefined) throw usage('--system and --project cannot be combined');
  if (workspace !== undefined) throw usage('--workspace and --project cannot be combined');
}

async function answer(
  { output }: Cli,
  account: Account,
  question: ChatPrompt,
  { json, stream, raw }: Options,
): Promise<void> {
  if (!stream && (json || !output.watched)) {
    const { text, body } = await answerWhole(account, question);
    return json ? output.json(body) : output.line(text);
  }
  const { payment, pieces } = await answerInPieces(account, question);
  if (json) {
    for await (const { chunk } of pieces) output.jsonLine(chunk);
    return;
  }
  const writer = await writeAnswer(output, raw);
  for await (const { text } of pieces) writer.push(text);
  writer.end();
  // In a pipe only the answer is printed; scripts find this in --json.
  if (output.watched && payment) output.say(`(${describePayment(payment)})`);
}
