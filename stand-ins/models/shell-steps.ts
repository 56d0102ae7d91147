// What a demo model does with a shell. In the sandbox of a run it looks around, writes a file, and answers from what it
// found. The shell of any other client runs on the user's machine: there it only looks, unless it is asked for a file.
import type { ToolLocation, OfferedTool } from './demo-request.ts';
import { fillObject } from './fill-schema.ts';
import { findWantedFile, TEXT_LINES } from './write-file.ts';

/** Names under which agents offer a shell, and the field for the command. */
const SHELLS: Readonly<Record<string, string>> = {
  bash: 'command',
  Bash: 'command',
  shell: 'command',
  shell_command: 'command',
  local_shell: 'command',
  run_shell_command: 'command',
  run_terminal_cmd: 'command',
  exec_command: 'cmd',
};

/** Codex offers newer models a tool that runs JavaScript, which calls the shell. */
const CODE_TOOL = { name: 'exec', namespace: 'functions' };

const LONGEST_OBJECTIVE = 200;

export const ANSWER_FILE = '/workspace/artifacts/answer.md';

const STEPS = {
  sandbox: (said) => [
    `echo ${said} && ls`,
    `mkdir -p ${ANSWER_FILE.slice(0, ANSWER_FILE.lastIndexOf('/'))} && printf '%s\\n' '# Demo answer' '' ${said} '' 'Written by a demo model: no real model was called.' > ${ANSWER_FILE} && cat ${ANSWER_FILE}`,
  ],
  client: (_said, file) => [file === undefined ? 'pwd && ls' : newFile(file)],
} as const satisfies Record<ToolLocation, (said: string, file: string | undefined) => readonly string[]>;

/** A file that is there is left as it is. */
function newFile(name: string): string {
  return `[ -e ${name} ] || printf '%s\\n' ${TEXT_LINES.map(quote).join(' ')} > ${name}; cat ${name}`;
}

export interface ShellStep {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly input?: string;
}

export function isShell({ name, namespace, freeform }: Pick<OfferedTool, 'name' | 'namespace' | 'freeform'>): boolean {
  if (freeform) return name === CODE_TOOL.name && namespace === CODE_TOOL.namespace;
  return Object.hasOwn(SHELLS, name) && namespace === undefined;
}

/** Undefined when there is nothing left to do. */
export function shellStep(
  tool: OfferedTool,
  location: ToolLocation,
  objective: string,
  done: number,
): ShellStep | undefined {
  const said = quote(objective.replace(/\s+/g, ' ').trim().slice(0, LONGEST_OBJECTIVE).toWellFormed());
  const command = STEPS[location](said, findWantedFile(objective))[done];
  if (command === undefined) return undefined;
  if (tool.freeform)
    return {
      arguments: {},
      input: `const { output } = await tools.exec_command({ cmd: ${JSON.stringify(command)} });\ntext(output);`,
    };
  const field = SHELLS[tool.name] ?? 'command';
  // Some shells require a description or other fields besides the command.
  const others = Array.isArray(tool.schema.required) ? fillObject(tool.schema, 'Look around') : {};
  return { arguments: { ...others, [field]: takesWords(tool, field) ? ['bash', '-c', command] : command } };
}

function takesWords({ schema }: OfferedTool, field: string): boolean {
  const properties = schema.properties as Record<string, { type?: unknown } | undefined> | undefined;
  return properties?.[field]?.type === 'array';
}

/** Quotes a word for the shell. */
function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
