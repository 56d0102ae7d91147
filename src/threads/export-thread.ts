// A whole conversation as a file, written while it is read.
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonPieces } from '../base/json-pieces.ts';
import type { Message, MessageMetadata, MessagePart, Thread } from '../contract/threads.ts';
import type { Queryable } from '../store/database.ts';
import { messagesInOrder, type StoredMessage } from './messages.ts';
import { runText } from './show-runs.ts';

export type ExportFormat = 'markdown' | 'json';

export interface ThreadExport {
  readonly thread: Thread;
  readonly organization: string;
  readonly format: ExportFormat;
  /** Fills in the state of runs. */
  readonly complete: (messages: readonly StoredMessage[]) => Promise<readonly StoredMessage[]>;
}

export async function* exportThread(
  db: Queryable,
  { thread, organization, format, complete }: ThreadExport,
): AsyncGenerator<string> {
  const { begin, write, end } = WRITERS[format]({ thread, organization });
  yield begin;
  let isFirst = true;
  for await (const page of messagesInOrder(db, thread.id))
    for (const { position: _position, ...message } of await complete(page)) {
      for (const piece of write(message, isFirst)) {
        yield piece;
        await pace(piece.length);
      }
      isFirst = false;
    }
  yield end;
}

/** For all exports of the process: reading and writing messages takes the event loop, which others need. */
const CHARACTERS_PER_MS = 8 * 1024;
const SHORTEST_PAUSE_MS = 5;
let freeAt = 0;

async function pace(characters: number): Promise<void> {
  const now = performance.now();
  freeAt = Math.max(freeAt, now) + characters / CHARACTERS_PER_MS;
  if (freeAt - now >= SHORTEST_PAUSE_MS) await sleep(freeAt - now);
}

interface Writer {
  readonly begin: string;
  readonly end: string;
  write(message: Message, isFirst: boolean): Iterable<string>;
}

const WRITERS: Readonly<Record<ExportFormat, (of: { thread: Thread; organization: string }) => Writer>> = {
  json: ({ thread, organization }) => ({
    begin: `{"thread":${JSON.stringify({ ...thread, organization })},"messages":[`,
    *write(message, isFirst) {
      yield isFirst ? '\n' : ',\n';
      yield* jsonPieces(message);
    },
    end: '\n]}\n',
  }),
  markdown: ({ thread }) => ({
    begin: `# ${escapeMarkdown(thread.title)}\n`,
    write: (message) => [
      `\n## ${headingOf(message)}\n\n${message.parts.map(partText).filter(Boolean).join('\n\n')}\n${sourcesOf(message.metadata)}${problemOf(message.metadata)}`,
    ],
    end: '',
  }),
};

function headingOf({ role, metadata, createdAt }: Message): string {
  const who = role === 'user' ? 'You' : ['Answer', metadata.model].filter((part) => part !== undefined).join(', ');
  return `${who}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC`;
}

/** What a model thought is left out. */
function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'data-attachment':
      return `Attachment: ${escapeMarkdown(part.data.name)}`;
    case 'data-job':
      return [`Background run: ${escapeMarkdown(part.data.objective)}`, runText(part.data)]
        .filter(Boolean)
        .join('\n\n');
    default:
      return '';
  }
}

function sourcesOf({ sources = [] }: MessageMetadata): string {
  if (sources.length === 0) return '';
  const lines = sources.map(
    ({ number, name, excerpt }) => `${number}. ${escapeMarkdown(name)}: ${escapeMarkdown(excerpt)}`,
  );
  return `\nSources:\n\n${lines.join('\n')}\n`;
}

function problemOf({ error, finish }: MessageMetadata): string {
  if (error) return `\n*This failed: ${escapeMarkdown(error.message)}*\n`;
  return finish === 'stopped' ? '\n*This answer was stopped.*\n' : '';
}

/** For text on one line that is not Markdown itself. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|]/g, String.raw`\$&`);
}
