// Unsent messages by chat, and unsent edits by message. They survive switching chats and reloads.
import type { UploadedFile } from './chat-client.ts';
import type { Draft, DraftFile } from './draft.ts';
import { keep, readKept } from './keep-drafts.ts';

export const EMPTY_DRAFT: Draft = { text: '', files: [], pasted: [] };
/** The key of a chat without a thread: uploads belong to an organization, text to a person. */
export const newChat = (user: string, organization: string): string => `new ${user} ${organization}`;
const EDIT = 'edit ';
/** The key of a message that is being edited. Its files are those of the message. */
export const editOf = (message: string): string => EDIT + message;
const MOST_DRAFTS = 50;

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();
/** Chats whose stored draft has already been restored. */
const looked = new Set<string>();

export function getDraft(chat: string): Draft {
  if (!looked.has(chat)) {
    looked.add(chat);
    const kept = readKept(chat);
    if (kept !== undefined) drafts.set(chat, kept);
  }
  return drafts.get(chat) ?? EMPTY_DRAFT;
}

export function changeDraft(chat: string, change: (draft: Draft) => Draft): void {
  const next = change(getDraft(chat));
  drafts.delete(chat);
  if (!isEmpty(next)) drafts.set(chat, next);
  keep(chat, next);
  const [oldest] = drafts.keys();
  if (drafts.size > MOST_DRAFTS && oldest !== undefined) {
    drafts.delete(oldest);
    keep(oldest, undefined);
  }
  for (const listener of listeners) listener();
}

/** The draft may have moved to a thread in the meantime. */
export function changeFile(key: number, known: Partial<DraftFile>): void {
  for (const [chat, { files }] of drafts) {
    if (files.some((file) => file.key === key))
      return changeDraft(chat, (draft) => ({
        ...draft,
        files: draft.files.map((file) => (file.key === key ? { ...file, ...known } : file)),
      }));
  }
}

export interface Unsent {
  readonly text: string;
  readonly attachments: readonly UploadedFile[];
}

/** Restores a message that was not sent. */
export function takeBack(chat: string, message: Unsent): void {
  changeDraft(chat, (draft) => withUnsent(chat, draft, message));
}

/** Only for a reload: until then the chat shows the message with its error, and the prompt is free. */
export function keepUnsent(chat: string, message: Unsent | undefined): void {
  const draft = getDraft(chat);
  keep(chat, message === undefined ? draft : withUnsent(chat, draft, message));
}

/** Before what was typed since; an edit is the whole message, so it is restored as it was sent. */
function withUnsent(chat: string, draft: Draft, { text, attachments }: Unsent): Draft {
  if (chat.startsWith(EDIT)) return { ...EMPTY_DRAFT, text };
  return {
    ...draft,
    text: [text, draft.text].filter((part) => part !== '').join('\n\n'),
    files: [
      ...attachments.map((uploaded, index) => ({
        key: -1 - index,
        name: uploaded.name,
        size: uploaded.size,
        progress: 1,
        uploaded,
      })),
      ...draft.files,
    ],
  };
}

/** A new chat has become a thread: its draft moves along. */
export function moveDraft(from: string, to: string): void {
  const draft = getDraft(from);
  changeDraft(from, () => EMPTY_DRAFT);
  changeDraft(to, () => draft);
}

export function subscribeDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isEmpty({ text, files, pasted }: Draft): boolean {
  return text === '' && files.length === 0 && pasted.length === 0;
}

/** The text to send: what was typed, then what was pasted. */
export function draftText({ text, pasted }: Pick<Draft, 'text' | 'pasted'>): string {
  return [text.trim(), ...pasted.map((each) => each.text)].filter((part) => part !== '').join('\n\n');
}
