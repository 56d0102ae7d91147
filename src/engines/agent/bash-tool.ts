// The shell of a run. Each call is a fresh shell in the run's sandbox, in /workspace, with a time limit; files stay,
// processes and variables do not.
import { jsonSchema, type Tool, tool } from 'ai';
import type { Json } from '../../base/canonical-json.ts';
import { storable } from '../../base/storable-json.ts';
import { showOutput } from '../../runs/record/live-output.ts';
import type { ExecEvent } from '../../sandbox/protocol.ts';
import type { Log } from '../../telemetry/log.ts';
import type { RunSandbox } from '../run-sandbox.ts';
import type { AgentTool } from './agent-tool.ts';
import { droppedNote, keepOutput } from './cut-output.ts';
import { placeOf } from './next-move.ts';
import type { RunNotes } from './run-notes.ts';

const BASH_TIMEOUT_MS = 5 * 60_000;
const COMMAND_MAX_CHARS = 100_000;
const SHOWN_CHARS = 2_000;

type Exit = Extract<ExecEvent, { t: 'exit' }>;

const INPUT = jsonSchema<{ readonly command: string }>({
  type: 'object',
  properties: { command: { type: 'string', description: 'A bash command line, or several lines.' } },
  required: ['command'],
  additionalProperties: false,
});

export interface BashDeps {
  readonly sandbox: RunSandbox;
  readonly notes: RunNotes;
  readonly runDirectory: () => Promise<string>;
  readonly log: Log;
}

export function createBashTool({ sandbox, notes, runDirectory, log }: BashDeps): AgentTool {
  const offer: Tool = tool({
    description: `Runs a command with bash in the sandbox of this run, in /workspace, and returns its output and exit code. Files in /workspace stay between calls. Nothing on the network is reachable except what your instructions name. A command is ended after ${BASH_TIMEOUT_MS / 60_000} minutes. Put files for the person into /workspace/artifacts.`,
    inputSchema: INPUT,
  });
  return {
    offer,
    async run({ step, call, input }) {
      const { command, fault } = readCommand(input);
      const event = await notes.toolStarted('bash', call, { command });
      if (fault !== undefined) return notes.toolEnded('bash', call, { ok: false }, { command, result: fault });
      const show = showOutput(await runDirectory(), event, log);
      const output = keepOutput();
      let exit: Exit | undefined;
      try {
        for await (const heard of sandbox.exec({
          argv: ['bash', '-c', command],
          timeoutMs: BASH_TIMEOUT_MS,
        })) {
          if (heard.t === 'out') {
            output.add(heard.d);
            show.add(heard.d);
          } else if (heard.t === 'truncated') {
            output.droppedBeyond(heard.limitBytes);
            show.add(droppedNote(heard.limitBytes));
          } else if (heard.t === 'exit') exit = heard;
        }
      } finally {
        await show.end();
      }
      if (exit === undefined) throw new Error('a command ended without an exit');
      const { text, cutChars } = output.read();
      const end = describeExit(exit);
      // An attempt that goes on after this has the files as the command left them.
      await sandbox.save(placeOf({ step, call }));
      await notes.toolEnded('bash', call, factsOf(exit, cutChars), { command, output: text, exit: end });
    },
  };
}

/** A model may leave it out, or write a whole file into it. */
function readCommand(input: unknown): { command: string; fault?: string } {
  const { command } = (input ?? {}) as { command?: unknown };
  if (typeof command !== 'string' || command === '') return { command: '', fault: 'Name the command to run.' };
  if (command.length > COMMAND_MAX_CHARS)
    return {
      command: storable(command.slice(0, SHOWN_CHARS)),
      fault: 'The command is too long. Write a script in pieces and run it.',
    };
  return { command: storable(command) };
}

function factsOf({ code, signal, ms, reason }: Exit, cutChars: number): Readonly<Record<string, Json>> {
  return {
    exit: code,
    ...(signal === null ? {} : { signal }),
    ms,
    ...(reason === undefined ? {} : { reason }),
    ...(cutChars > 0 ? { cutChars } : {}),
  };
}

function describeExit({ code, signal, reason }: Exit): string {
  if (reason === 'timeout') return `[ended after ${BASH_TIMEOUT_MS / 60_000} minutes]`;
  if (reason === 'disk_full') return '[ended: the disk of the sandbox is full; remove files to go on]';
  return code === null ? `[ended by ${signal ?? 'a signal'}]` : `[exit code ${code}]`;
}
