// What the stand-in's model answers: the last line of the form `task:<name> <word>` that the user wrote decides. A model
// that reads a note says so, calls the tool which is offered for that in the same answer, and thinks before it where it
// was asked to; asked to repeat it, it knows only what it was sent, so a client whose conversation lost something on the
// way gets another answer.
import { randomUUID } from 'node:crypto';
import type { AnswerScript, Script } from '../../support/models/model-scripts.ts';
import type { Asked, Said, Tool } from './read-asked.ts';

/** Readers of files before shells, as a model would. */
const READERS = [
  'read_note',
  'Read',
  'read_file',
  'read',
  'exec_command',
  'shell_command',
  'shell',
  'Bash',
  'bash',
  'run_shell_command',
];
/** Writers of files before shells; a patch is not written here. */
const WRITERS = [
  'write_note',
  'Write',
  'write_file',
  'write',
  'exec_command',
  'shell_command',
  'shell',
  'Bash',
  'bash',
  'run_shell_command',
];
export const WRITTEN = 'Written by the model.';
const TASK = /task:(\w+)(?:[ \t]+([^\s)"'`<]+))?/g;

const NO_TOOL = 'No tool was offered.';
const NO_NOTE = 'There is no note in what I was sent.';
/** More than an agent is told to keep, so that it makes the conversation shorter before it goes on. */
const LONG_TOKENS = 90_000;

interface Situation {
  /** The word behind the task's name: a path or a word to say. */
  readonly word: string;
  readonly before: readonly Said[];
  readonly since: readonly Said[];
  readonly asked: Asked;
  readonly isAnthropic: boolean;
  /** Fulfilled when the client has left. */
  readonly gone: Promise<unknown>;
}

const NOTED = 'The long note says:';

const TASKS: Readonly<Record<string, (situation: Situation) => Script>> = {
  read: ({ since, asked, word }) => {
    const result = since.findLast(({ by }) => by === 'tool');
    if (result) return { text: `The note says: ${result.text}` };
    return callWith(asked, READERS, 'Let me look at the note.', (tool) => argumentsOf(tool, word, `cat ${word}`));
  },
  write: ({ since, asked, word }) =>
    since.some(({ by }) => by === 'tool')
      ? { text: 'The file is written.' }
      : callWith(asked, WRITERS, 'Let me write the file.', (tool) =>
          argumentsOf(tool, word, `echo '${WRITTEN}' > ${word}`),
        ),
  // What was read is in the summary when the conversation goes on, and nowhere else.
  long: ({ since, asked, word }) => {
    const noted = asked.said.findLast(({ by, text }) => by !== 'tool' && text.includes(NOTED));
    const result = since.findLast(({ by }) => by === 'tool');
    if (result) return { text: `${NOTED} ${result.text}` };
    if (noted) return { text: `Kept: ${noted.text.slice(noted.text.indexOf(NOTED))}` };
    return callWith(
      asked,
      READERS,
      'Let me look at the note.',
      (tool) => argumentsOf(tool, word, `cat ${word}`),
      LONG_TOKENS,
    );
  },
  repeat: ({ before }) => {
    const result = before.findLast(({ by }) => by === 'tool');
    return { text: result ? `The note said: ${result.text}` : NO_NOTE };
  },
  tell: ({ word }) => ({ text: `The word that you asked me to tell is ${word}, and that is all.` }),
  // A shape is asked for either as a tool that takes it or as the form of the answer.
  fill: ({ word, asked }) => {
    const form = asked.tools.find(({ schema }) => schema.properties?.['word']);
    return form ? { toolCalls: [{ name: form.name, arguments: { word } }] } : { text: JSON.stringify({ word }) };
  },
  wait: ({ gone }): AnswerScript => ({
    text: Array.from({ length: 40 }, (_, index) => `piece ${index} `),
    until: gone,
  }),
  overflow: ({ isAnthropic }) => tooLong(isAnthropic),
};

export function decideAnswer(asked: Asked, isAnthropic: boolean, gone: Promise<unknown>): Script {
  const at = asked.said.findLastIndex(({ by, text }) => by === 'user' && text.match(TASK) !== null);
  const [, name = '', word = ''] = [...(asked.said[at]?.text ?? '').matchAll(TASK)].at(-1) ?? [];
  // A shape is asked for in the words that make a title, a plan and the like: those get the smallest that fits.
  if (name === '') return { text: asked.wantsJson ? '{"title": "A title"}' : 'Nothing was asked.' };
  return (
    TASKS[name]?.({
      word,
      before: asked.said.slice(0, at),
      since: asked.said.slice(at + 1),
      asked,
      isAnthropic,
      gone,
    }) ?? { text: `There is no task ${name}.` }
  );
}

/** Says what it does and does it in one answer, as most models do, with a thought before it where it is asked to think. */
function callWith(
  { tools, thinks }: Asked,
  names: readonly string[],
  text: string,
  fill: (tool: Tool) => Record<string, unknown>,
  inputTokens = 10,
): Script {
  const tool = names.map((name) => tools.find((offered) => offered.name === name)).find((found) => found !== undefined);
  if (!tool) return { text: NO_TOOL };
  const given = fill(tool);
  if (!thinks)
    return {
      text,
      toolCalls: [{ name: tool.name, arguments: given }],
      usage: { inputTokens, outputTokens: 5 },
    };
  return {
    blocks: [
      { kind: 'thinking', text: 'The user wants something done with a file; a tool can do it.' },
      { kind: 'text', text },
      { kind: 'tool', id: `call_${randomUUID().slice(0, 8)}`, name: tool.name, arguments: JSON.stringify(given) },
    ],
    usage: { input: inputTokens, cached: 0, output: 5 },
  };
}

function argumentsOf({ schema }: Tool, path: string, command: string): Record<string, unknown> {
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    properties.flatMap(([name, { type }]): [string, unknown][] => {
      if (/path$/i.test(name)) return [[name, path]];
      if (name === 'content') return [[name, `${WRITTEN}\n`]];
      if (name === 'cmd' || name === 'command') return [[name, type === 'array' ? ['bash', '-c', command] : command]];
      return schema.required?.includes(name)
        ? [[name, type === 'number' || type === 'integer' ? 1 : type === 'boolean' ? false : 'note']]
        : [];
    }),
  );
}

/** In the words of each provider, which agents look for to make a conversation shorter. */
function tooLong(isAnthropic: boolean): Script {
  const body = isAnthropic
    ? {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      }
    : {
        error: {
          message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
          type: 'invalid_request_error',
          param: 'input',
          code: 'context_length_exceeded',
        },
      };
  return { status: 400, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
