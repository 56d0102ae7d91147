// One element of an export, from its bytes to the rows of a thread. Pure, and run on a thread: the bytes are anything that
// somebody uploaded. Rows leave it as JSON text in batches, which the event loop passes on without looking inside.
import { createHash } from 'node:crypto';
import type { ImportNotes, ImportReason, ImportSource } from '../../contract/imports/import-words.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import type { MessageMetadata, MessagePart } from '../../contract/threads.ts';
import { newId } from '../../base/ids.ts';
import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';
import { draftTitle } from '../draft-title.ts';
import { type LaidOutMessage, layOutTree } from './lay-out-tree.ts';
import { readChatGpt } from './read-chatgpt.ts';
import { readClaude, readClaudeProject } from './read-claude.ts';
import { readLibreChat } from './read-librechat.ts';
import {
  count,
  type Counts,
  type SourceConversation,
  type SourceFile,
  type SourcePiece,
  text,
} from './source-conversation.ts';

/** A part of a message as it is imported; a file's place is filled once it is stored. */
export type ImportedPart = MessagePart | { readonly type: 'file'; readonly file: number };

export interface ImportedRow {
  readonly id: string;
  /** Where it is shown; null for a version that is not. */
  readonly position: number | null;
  readonly parent_id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly ImportedPart[];
  readonly metadata: MessageMetadata;
  readonly created_at: string;
}

export interface ImportedChat {
  readonly kind: 'chat';
  readonly source: ImportSource;
  readonly sourceId: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archived: boolean;
  readonly project: SourceConversation['project'];
  readonly shown: number;
  readonly messages: number;
  /** Lists of `ImportedRow`, as JSON. */
  readonly batches: readonly string[];
  /** In the order in which the rows number them. */
  readonly files: readonly SourceFile[];
  readonly notes: ImportNotes;
}

export interface ImportedProject {
  readonly kind: 'project';
  readonly sourceId: string;
  readonly title: string;
  readonly description: string;
  readonly instructions: string;
  readonly notes: ImportNotes;
}

export interface LeftOut {
  readonly kind: 'left-out';
  readonly title: string;
  readonly reason: ImportReason;
}

export type ReadElement = ImportedChat | ImportedProject | LeftOut;

/** The search of messages takes about a millisecond each, and a conversation is one transaction. */
export const MOST_MESSAGES = 20_000;
const MOST_TITLE_CHARACTERS = 200;
const BATCH_CHARACTERS = 512 * 1024;
/** Before any of these services existed. */
const EARLIEST = Date.UTC(2015, 0, 1);
const MOST_ID_CHARACTERS = 200;

const FORMATS: readonly (readonly [fits: (element: Loose) => boolean, read: (element: Loose) => SourceConversation])[] =
  [
    [({ mapping }) => isObject(mapping), readChatGpt],
    [(element) => Array.isArray(element['chat_messages']), readClaude],
    [
      (element) =>
        typeof element['conversationId'] === 'string' &&
        (typeof element['messages'] === 'object' || typeof element['messagesTree'] === 'object'),
      readLibreChat,
    ],
  ];

export function readElement(bytes: Uint8Array, now: number): ReadElement {
  let title = '';
  try {
    const element = parseStored(bytes);
    if (!isObject(element)) return { kind: 'left-out', title, reason: 'unknown-format' };
    title = cutTitle(text(element['title']) || text(element['name']));
    if ('prompt_template' in element && !('chat_messages' in element)) return readProject(element);
    const read = FORMATS.find(([fits]) => fits(element))?.[1];
    if (!read) return { kind: 'left-out', title, reason: 'unknown-format' };
    return toChat(read(element), bytes, now);
  } catch {
    // Whatever the readers did not expect, such as a value that is nested too deeply to be written.
    return { kind: 'left-out', title, reason: 'damaged' };
  }
}

/** Unlike a request, an export may hold text that cannot be stored; it is repaired where it is used. */
function parseStored(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

function readProject(element: Loose): ReadElement {
  const project = readClaudeProject(element);
  const notes: Counts = { ...project.notes };
  if (project.instructions.length > PROJECT_LIMITS.instructions) count(notes, 'instructions-cut');
  const title = project.name.replaceAll(/\s+/g, ' ').trim().slice(0, PROJECT_LIMITS.name).toWellFormed();
  // Claude makes one itself, to show what a project is.
  if (element['is_starter_project'] === true) return { kind: 'left-out', title, reason: 'example' };
  if (title === '') return { kind: 'left-out', title, reason: 'empty' };
  return {
    kind: 'project',
    sourceId: project.id,
    title,
    description: project.description.trim().slice(0, PROJECT_LIMITS.description).toWellFormed(),
    instructions: project.instructions.trim().slice(0, PROJECT_LIMITS.instructions).toWellFormed(),
    notes,
  };
}

function toChat(conversation: SourceConversation, bytes: Uint8Array, now: number): ReadElement {
  const notes: Counts = { ...conversation.notes };
  const { shown, versions } = layOutTree(conversation.nodes, conversation.leaf, notes);
  const messages = shown.length + versions.length;
  const title = cutTitle(conversation.title) || draftTitle(firstText(shown));
  if (messages === 0) return { kind: 'left-out', title, reason: 'empty' };
  if (messages > MOST_MESSAGES) return { kind: 'left-out', title, reason: 'too-many-messages' };
  const isPossible = (at: number | undefined): at is number => at !== undefined && at >= EARLIEST && at <= now;
  const times = shown.map(({ at }) => at).filter(isPossible);
  const created = [conversation.createdAt, times[0]].find(isPossible) ?? now;
  const updated = [conversation.updatedAt, times.at(-1)].find(isPossible) ?? created;
  const files: SourceFile[] = [];
  const timeOf = ({ at }: LaidOutMessage): number => (isPossible(at) ? at : created);
  const ids = new Map([...shown, ...versions].map((message) => [message.key, newId('msg', timeOf(message))]));
  const toRow = (message: LaidOutMessage, position: number | null): ImportedRow => ({
    id: ids.get(message.key) ?? '',
    position,
    parent_id: message.parent === undefined ? '' : (ids.get(message.parent) ?? ''),
    role: message.role,
    parts: toParts(message.pieces, files),
    metadata: message.model === undefined ? {} : { model: message.model.slice(0, 200).toWellFormed() },
    created_at: new Date(timeOf(message)).toISOString(),
  });
  const rows = [...shown.map(toRow), ...versions.map((message) => toRow(message, null))];
  return {
    kind: 'chat',
    source: conversation.source,
    sourceId: idFor(conversation.id, bytes),
    title,
    createdAt: new Date(created).toISOString(),
    updatedAt: new Date(updated).toISOString(),
    archived: conversation.archived,
    project: conversation.project,
    shown: shown.length,
    messages,
    batches: [...batch(rows)],
    files,
    notes,
  };
}

/** Without an id, the content is one: the same file again is the same conversation. */
function idFor(id: string, bytes: Uint8Array): string {
  if (id !== '' && id.length <= MOST_ID_CHARACTERS) return id;
  return createHash('sha256')
    .update(id === '' ? bytes : id)
    .digest('hex');
}

function cutTitle(given: string): string {
  return given
    .toWellFormed()
    .replaceAll(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, MOST_TITLE_CHARACTERS)
    .toWellFormed();
}

function firstText(messages: readonly LaidOutMessage[]): string {
  const pieces = messages.find(({ role }) => role === 'user')?.pieces ?? [];
  return pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join(' ');
}

/** Neighbours of one type are one part. */
function toParts(pieces: readonly SourcePiece[], files: SourceFile[]): ImportedPart[] {
  const parts: ImportedPart[] = [];
  const texts: { type: 'text' | 'reasoning'; said: string[] }[] = [];
  const flush = (): void => {
    for (const { type, said } of texts.splice(0)) parts.push({ type, text: said.join('\n\n') });
  };
  for (const piece of pieces) {
    if (piece.type === 'file') {
      flush();
      parts.push({ type: 'file', file: files.push(piece.file) - 1 });
    } else if (texts.at(-1)?.type === piece.type) texts.at(-1)?.said.push(piece.text);
    else texts.push({ type: piece.type, said: [piece.text] });
  }
  flush();
  return parts;
}

function* batch(rows: readonly ImportedRow[]): Generator<string> {
  let written: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (written.length > 0 && characters + json.length > BATCH_CHARACTERS) {
      yield `[${written.join(',')}]`;
      written = [];
      characters = 0;
    }
    written.push(json);
    characters += json.length;
  }
  yield `[${written.join(',')}]`;
}
