// What is written to runs and not sent yet, by run: it survives a reload and is shared by the run's page and its card in
// a chat. What is said about a part of a run, such as a line that it changed, is added to it.
import { createKeyedStore } from '../../../kit/keyed-store.ts';

const MOST = 20;

export const followUpDrafts = createKeyedStore<string>({
  empty: '',
  most: MOST,
  persist: { area: 'session', prefix: 'follow-up:', pack: (text) => text, unpack: (text) => text },
});

/** Adds a paragraph to what is written to a run. */
export function addToFollowUp(run: string, text: string): void {
  followUpDrafts.change(run, (written) => (written.trim() === '' ? text : `${written.trimEnd()}\n\n${text}`));
}
