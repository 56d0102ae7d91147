// The shell of a run. Each call is a fresh shell in the run's sandbox, in /workspace, with a time limit; files stay,
// processes and variables do not.
import { jsonSchema, type Tool, tool } from 'ai';
import type { RunSandbox } from '../run-sandbox.ts';
import { keepOutput } from './cut-output.ts';
import type { RunNotes } from './run-notes.ts';

const BASH_TIMEOUT_MS = 5 * 60_000;
const COMMAND_MAX_CHARS = 100_000;

interface BashInput {
  readonly command: string;
}

const INPUT = jsonSchema<BashInput>({
  type: 'object',
  properties: { command: { type: 'string', description: 'A bash command line, or several lines.' } },
  required: ['command'],
  additionalProperties: false,
});

export function createBashTool(sandbox: RunSandbox, notes: RunNotes): Tool<BashInput, string> {
  return tool({
    description: `Runs a command with bash in the sandbox of this run, in /workspace, and returns its output and exit code. Files in /workspace stay between calls. Nothing on the network is reachable except what your instructions name. A command is ended after ${BASH_TIMEOUT_MS / 60_000} minutes. Put files for the person into /workspace/artifacts.`,
    inputSchema: INPUT,
    async execute({ command }) {
      if (command.length > COMMAND_MAX_CHARS) return 'The command is too long. Write a script in pieces and run it.';
      await notes.toolStarted('bash', { command });
      const output = keepOutput();
      for await (const event of sandbox.exec({
        argv: ['bash', '-c', command.replaceAll('\0', '')],
        timeoutMs: BASH_TIMEOUT_MS,
      })) {
        if (event.t === 'out') output.add(event.d);
        else if (event.t === 'truncated') output.droppedBeyond(event.limitBytes);
        else if (event.t === 'exit') {
          const { code, signal, ms, reason } = event;
          const { text, cutChars } = output.read();
          const end = describeExit(event);
          await notes.toolEnded(
            'bash',
            {
              exit: code,
              ...(signal === null ? {} : { signal }),
              ms,
              ...(reason === undefined ? {} : { reason }),
              ...(cutChars > 0 ? { cutChars } : {}),
            },
            { command, output: text, exit: end },
          );
          return text === '' ? end : `${text}\n${end}`;
        }
      }
      throw new Error('a command ended without an exit');
    },
  });
}

function describeExit({
  code,
  signal,
  reason,
}: {
  readonly code: number | null;
  readonly signal: string | null;
  readonly reason?: string;
}): string {
  if (reason === 'timeout') return `[ended after ${BASH_TIMEOUT_MS / 60_000} minutes]`;
  if (reason === 'disk_full') return '[ended: the disk of the sandbox is full; remove files to go on]';
  return code === null ? `[ended by ${signal ?? 'a signal'}]` : `[exit code ${code}]`;
}
