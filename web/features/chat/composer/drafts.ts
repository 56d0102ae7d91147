// Unsent messages by chat, and unsent edits by message. They survive switching chats and, per tab, reloads: text and
// finished uploads. An upload in progress is lost with its page, and a text too long to store at every keystroke is not
// kept.
import { createKeyedStore } from '../../../kit/keyed-store.ts';
import type { UploadedFile } from '../chat-client.ts';
import type { Draft, DraftFile } from './draft.ts';

export const EMPTY_DRAFT: Draft = { text: '', files: [], pasted: [] };
/** The key of a chat without a thread: uploads belong to an organization, text to a person. */
export const newChat = (user: string, organization: string): string => `new ${user} ${organization}`;
const EDIT = 'edit ';
/** The key of a message that is being edited. Its files are those of the message. */
export const editOf = (message: string): string => EDIT + message;
/** Longer texts are not stored. */
const LONGEST = 100_000;

const drafts = createKeyedStore<Draft>({
  empty: EMPTY_DRAFT,
  isEmpty,
  most: 50,
  persist: { area: 'session', prefix: 'chat-draft:', pack, unpack: (stored) => JSON.parse(stored) as Draft },
});

/** `forgetDrafts` is for signing out: the next person in this tab must not see them. */
export const { get: getDraft, change: changeDraft, use: useDraft, forget: forgetDrafts } = drafts;

function pack({ text, files, pasted }: Draft): string | undefined {
  const draft: Draft = {
    text,
    files: files.flatMap(({ key, name, size, uploaded }) =>
      uploaded === undefined ? [] : [{ key: apart(key), name, size, progress: 1, uploaded }],
    ),
    pasted: pasted.map((each) => ({ ...each, key: apart(each.key) })),
  };
  const length = text.length + pasted.reduce((sum, each) => sum + each.text.length, 0);
  return length > LONGEST || (length === 0 && draft.files.length === 0) ? undefined : JSON.stringify(draft);
}

/** Keys are counted from one again after a reload. */
function apart(key: number): number {
  return -1_000 - Math.abs(key);
}

/** The draft may have moved to a thread in the meantime. */
export function changeFile(key: number, known: Partial<DraftFile>): void {
  const chat = drafts.keys().find((each) => getDraft(each).files.some((file) => file.key === key));
  if (chat !== undefined)
    changeDraft(chat, (draft) => ({
      ...draft,
      files: draft.files.map((file) => (file.key === key ? { ...file, ...known } : file)),
    }));
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
  drafts.keep(chat, message === undefined ? draft : withUnsent(chat, draft, message));
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

/** A new chat has become a thread: its draft moves along, behind what is there already. */
export function moveDraft(from: string, to: string): void {
  const [moved, there] = [getDraft(from), getDraft(to)];
  if (isEmpty(moved)) return;
  drafts.set(from, EMPTY_DRAFT);
  drafts.set(to, {
    ...moved,
    text: there.text + moved.text,
    files: [...there.files, ...moved.files],
    pasted: [...there.pasted, ...moved.pasted],
  });
}

export function isEmpty({ text, files, pasted }: Draft): boolean {
  return text === '' && files.length === 0 && pasted.length === 0;
}

/** The text to send: what was typed, then what was pasted. */
export function draftText({ text, pasted }: Pick<Draft, 'text' | 'pasted'>): string {
  return [text.trim(), ...pasted.map((each) => each.text)].filter((part) => part !== '').join('\n\n');
}
