// What a demo model does with a shell. In the sandbox of a run it looks around, leaves a file, and then answers from
// what it saw. The shell of any other client is somebody's own machine: there it only looks, and changes nothing.
import type { Place, Tool } from './asked.ts';
import { fillObject } from './fill-schema.ts';

/** The names under which agents offer a shell, and the field that takes the command. */
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
  client: () => ['pwd && ls'],
} as const satisfies Record<Place, (said: string) => readonly string[]>;

export interface ShellStep {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly input?: string;
}

export function isShell({ name, namespace, freeform }: Pick<Tool, 'name' | 'namespace' | 'freeform'>): boolean {
  if (freeform) return name === CODE_TOOL.name && namespace === CODE_TOOL.namespace;
  return Object.hasOwn(SHELLS, name) && namespace === undefined;
}

/** Undefined once there is nothing left to do. */
export function shellStep(tool: Tool, place: Place, objective: string, done: number): ShellStep | undefined {
  const said = quote(objective.replace(/\s+/g, ' ').trim().slice(0, LONGEST_OBJECTIVE).toWellFormed());
  const command = STEPS[place](said)[done];
  if (command === undefined) return undefined;
  if (tool.freeform)
    return {
      arguments: {},
      input: `const { output } = await tools.exec_command({ cmd: ${JSON.stringify(command)} });\ntext(output);`,
    };
  const field = SHELLS[tool.name] ?? 'command';
  // Some shells want a description, or more, beside the command.
  const others = Array.isArray(tool.schema.required) ? fillObject(tool.schema, 'Look around') : {};
  return { arguments: { ...others, [field]: takesWords(tool, field) ? ['bash', '-c', command] : command } };
}

function takesWords({ schema }: Tool, field: string): boolean {
  const properties = schema.properties as Record<string, { type?: unknown } | undefined> | undefined;
  return properties?.[field]?.type === 'array';
}

/** A word that the shell takes as it stands. */
function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
