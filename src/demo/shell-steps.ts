// What a demo model does with a shell: look around, leave a file, and then answer from what it saw.
import type { Tool } from './asked.ts';

export interface ShellStep {
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The names under which agents offer a shell, and the field that takes the command. */
const SHELLS: Readonly<Record<string, string>> = { bash: 'command', shell: 'command', shell_command: 'command', exec_command: 'cmd' };

const LONGEST_OBJECTIVE = 200;

export const ANSWER_FILE = '/workspace/artifacts/answer.md';

export function isShell({ name }: Pick<Tool, 'name'>): boolean {
  return Object.hasOwn(SHELLS, name);
}

/** Undefined once there is nothing left to do. */
export function shellStep(tool: Tool, objective: string, done: number): ShellStep | undefined {
  const said = quote(objective.replace(/\s+/g, ' ').trim().slice(0, LONGEST_OBJECTIVE).toWellFormed());
  const commands = [
    `echo ${said} && ls`,
    `mkdir -p ${ANSWER_FILE.slice(0, ANSWER_FILE.lastIndexOf('/'))} && printf '%s\\n' '# Demo answer' '' ${said} '' 'Written by a demo model: no real model was called.' > ${ANSWER_FILE} && cat ${ANSWER_FILE}`,
  ];
  const command = commands[done];
  if (command === undefined) return undefined;
  const field = SHELLS[tool.name] ?? 'command';
  return { arguments: { [field]: takesWords(tool, field) ? ['bash', '-c', command] : command } };
}

function takesWords({ schema }: Tool, field: string): boolean {
  const properties = schema.properties as Record<string, { type?: unknown } | undefined> | undefined;
  return properties?.[field]?.type === 'array';
}

/** A word that the shell takes as it stands. */
function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
