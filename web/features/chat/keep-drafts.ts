// Drafts through a reload, for this tab alone: what was typed and what has been uploaded. A file that was still on its
// way is lost with the page that sent it; a text too long to write at every key is not kept.
import type { Draft } from './draft.ts';

const PREFIX = 'chat-draft:';
const LONGEST = 100_000;

/** The page counts its keys from one again. */
const apart = (key: number): number => -1_000 - Math.abs(key);

export function readKept(chat: string): Draft | undefined {
  try {
    const kept = sessionStorage.getItem(PREFIX + chat);
    return kept === null ? undefined : (JSON.parse(kept) as Draft);
  } catch {
    // Storage may be off; then a draft lasts as long as the page.
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

/** Whoever signs in next in this tab is somebody else. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // As above.
  }
}
