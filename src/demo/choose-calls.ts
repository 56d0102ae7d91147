// Which tools a demo model calls: those whose name the user's words contain, a shell for any objective, and the one
// that the request insists on. It calls once per question, a shell twice, so that every agent loop ends.
import { type Asked, lastExchange, type Tool } from './asked.ts';
import { fillObject } from './fill-schema.ts';
import { isShell, shellStep } from './shell-steps.ts';

export interface ChosenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const MOST_CALLS = 4;
const LONGEST_READ = 10_000;

export function chooseCalls(asked: Pick<Asked, 'items' | 'tools' | 'toolChoice' | 'parallelCalls'>): ChosenCall[] {
  const { tools, toolChoice } = asked;
  if (tools.length === 0 || toolChoice === 'none') return [];
  const { user, since } = lastExchange(asked.items);
  const said = user.text.slice(0, LONGEST_READ);
  const called = since.flatMap((item) => (item.kind === 'call' ? [item.name] : []));
  const insisted = typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : undefined;
  if (insisted) return [callOf(insisted, said, 0)];

  const named = called.length === 0 ? tools.filter((tool) => !isShell(tool) && isNamed(tool, said)) : [];
  const shell = tools.find(isShell);
  if (named.length > 0) return named.slice(0, asked.parallelCalls ? MOST_CALLS : 1).map((tool) => callOf(tool, said, 0));
  if (shell && said.trim() !== '' && called.every((name) => name === shell.name)) {
    const step = shellStep(shell, said, called.length);
    if (step) return [{ name: shell.name, arguments: step.arguments }];
  }
  const [first] = tools;
  return toolChoice === 'required' && first ? [callOf(shell ?? first, said, 0)] : [];
}

function callOf(tool: Tool, said: string, done: number): ChosenCall {
  const step = isShell(tool) ? shellStep(tool, said, done) : undefined;
  return { name: tool.name, arguments: step?.arguments ?? fillObject(tool.schema, said) };
}

/** `github__list-issues` is meant by "list the issues", `getWeather` by "get me the weather". */
function isNamed({ name }: Tool, said: string): boolean {
  if (said.toLowerCase().includes(name.toLowerCase())) return true;
  const action = name.slice(name.lastIndexOf('__') < 0 ? 0 : name.lastIndexOf('__') + 2);
  const wanted = wordsOf(action.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
  const heard = new Set(wordsOf(said));
  return wanted.length > 0 && wanted.every((word) => heard.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
