// What was typed and not sent, by chat: neither going to another chat and back nor a reload loses it.
import type { UploadedFile } from './chat-client.ts';
import type { Draft, DraftFile } from './draft.ts';
import { keep, readKept } from './keep-drafts.ts';

export const EMPTY_DRAFT: Draft = { text: '', files: [], pasted: [] };
/** A chat that has no thread yet; what is uploaded for it belongs to its organization, what is typed to its person. */
export const newChat = (user: string, organization: string): string => `new ${user} ${organization}`;
const MOST_DRAFTS = 50;

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();
/** The chats whose draft of before a reload has been looked for. */
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

/** Wherever the draft that holds it has gone meanwhile. */
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

/** Gives a message back that was not sent. */
export function takeBack(chat: string, message: Unsent): void {
  changeDraft(chat, (draft) => before(draft, message));
}

/** For a reload alone: until then the message stands in its chat with what is wrong, and its prompt is free for another. */
export function keepUnsent(chat: string, message: Unsent | undefined): void {
  const draft = getDraft(chat);
  keep(chat, message === undefined ? draft : before(draft, message));
}

function before(draft: Draft, { text, attachments }: Unsent): Draft {
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

/** The new chat has become a thread: what was typed meanwhile goes with it. */
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

/** What is sent: the typed text, then what was pasted. */
export function draftText({ text, pasted }: Pick<Draft, 'text' | 'pasted'>): string {
  return [text.trim(), ...pasted.map((each) => each.text)].filter((part) => part !== '').join('\n\n');
}
