// Which tools a demo model calls: those whose names appear in the user's message, a shell for any objective, and the one
// the request forces. It calls once per question, or twice with the shell of a run, so that every agent loop ends. A
// coding agent's tools for changing files are called only for a file that the user asks for, and only for a new one.
import { type DemoRequest, lastExchange, type ToolLocation, type OfferedTool } from './demo-request.ts';
import { fillObject } from './fill-schema.ts';
import { isShell, shellStep } from './shell-steps.ts';
import { findWantedFile, findWriter, writeArguments } from './write-file.ts';

export interface ChosenCall {
  readonly name: string;
  readonly namespace?: string;
  readonly input?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const MOST_CALLS = 4;
const LONGEST_READ = 10_000;

const CHANGES_FILES =
  /^(?:multi|notebook)?_?(?:write|edit|replace|patch|delete|remove)$|apply_?patch|str_?replace|(?:write|edit|create|delete|remove|move|append|rename|copy|search_replace|insert)[_-]?\w*(?:file|director|folder|notebook|text)/i;

export function chooseCalls(
  request: Pick<DemoRequest, 'system' | 'items' | 'tools' | 'toolChoice' | 'parallelCalls'>,
  location: ToolLocation,
): ChosenCall[] {
  const { tools, toolChoice } = request;
  if (tools.length === 0 || toolChoice === 'none') return [];
  const { user, since } = lastExchange(request.items);
  const said = user.text.slice(0, LONGEST_READ);
  const called = since.flatMap((item) => (item.kind === 'call' ? [item.name] : []));
  const insisted = typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : undefined;
  if (insisted) return [callOf(insisted, location, said)];

  const shell = tools.find(isShell);
  const file = location === 'client' && called.length === 0 ? findWantedFile(said) : undefined;
  const writer = file === undefined ? undefined : findWriter(tools);
  if (file !== undefined && writer) return [{ ...nameOf(writer), arguments: writeArguments(writer, file, request) }];
  const named = called.length === 0 ? tools.filter((tool) => mayBeNamed(tool, shell) && isNamed(tool, said)) : [];
  if (named.length > 0)
    return named.slice(0, request.parallelCalls ? MOST_CALLS : 1).map((tool) => callOf(tool, location, said));
  if (shell && said.trim() !== '' && called.every((name) => name === shell.name)) {
    const step = shellStep(shell, location, said, called.length);
    if (step) return [{ ...nameOf(shell), ...step }];
  }
  const wanted = shell ?? tools.find((tool) => !changesFiles(tool)) ?? tools[0];
  return toolChoice === 'required' && wanted ? [callOf(wanted, location, said)] : [];
}

/** A client that offers a shell is an agent with tools for its own work: only tools of connected apps are called by name. */
function mayBeNamed(tool: OfferedTool, shell: OfferedTool | undefined): boolean {
  if (isShell(tool) || changesFiles(tool)) return false;
  return shell === undefined || tool.name.includes('__') || (tool.namespace?.startsWith('mcp') ?? false);
}

function changesFiles({ name, freeform }: OfferedTool): boolean {
  return freeform !== undefined || CHANGES_FILES.test(actionOf(name));
}

function callOf(tool: OfferedTool, location: ToolLocation, said: string): ChosenCall {
  const step = isShell(tool) ? shellStep(tool, location, said, 0) : undefined;
  return {
    ...nameOf(tool),
    ...(step ?? { arguments: fillObject(tool.schema, said), ...(tool.freeform ? { input: 'demo' } : {}) }),
  };
}

function nameOf({ name, namespace }: OfferedTool): Pick<ChosenCall, 'name' | 'namespace'> {
  return namespace === undefined ? { name } : { name, namespace };
}

function actionOf(name: string): string {
  return name.slice(name.lastIndexOf('__') < 0 ? 0 : name.lastIndexOf('__') + 2);
}

/** "list the issues" matches `github__list-issues`, "get me the weather" matches `getWeather`. */
function isNamed({ name }: OfferedTool, said: string): boolean {
  if (said.toLowerCase().includes(name.toLowerCase())) return true;
  const wanted = wordsOf(actionOf(name).replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
  const heard = new Set(wordsOf(said));
  return wanted.length > 0 && wanted.every((word) => heard.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
