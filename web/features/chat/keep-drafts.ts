// Keeps drafts through a reload, per tab: text and finished uploads. An upload in progress is lost with its page, and a
// text too long to store at every keystroke is not kept.
import type { Draft } from './draft.ts';

const PREFIX = 'chat-draft:';
const LONGEST = 100_000;

/** Keys are counted from one again after a reload. */
const apart = (key: number): number => -1_000 - Math.abs(key);

export function readKept(chat: string): Draft | undefined {
  try {
    const kept = sessionStorage.getItem(PREFIX + chat);
    return kept === null ? undefined : (JSON.parse(kept) as Draft);
  } catch {
    // Storage may be off; a draft then lasts as long as the page.
    return undefined;
  }
}

export function keep(chat: string, draft: Draft | undefined): void {
  try {
    const files =
      draft?.files.flatMap(({ key, name, size, uploaded }) =>
        uploaded === undefined ? [] : [{ key: apart(key), name, size, progress: 1, uploaded }],
      ) ?? [];
    const text = draft?.text ?? '';
    const pasted = draft?.pasted.map((each) => ({ ...each, key: apart(each.key) })) ?? [];
    const length = text.length + pasted.reduce((sum, each) => sum + each.text.length, 0);
    if (length > LONGEST || (length === 0 && files.length === 0)) sessionStorage.removeItem(PREFIX + chat);
    else sessionStorage.setItem(PREFIX + chat, JSON.stringify({ text, files, pasted } satisfies Draft));
  } catch {
    // As above, or it is full.
  }
}

/** The next person to sign in in this tab must not see them. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // As above.
  }
}
