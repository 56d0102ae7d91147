// The window in which a person authorizes. Browsers open one only in answer to a click, and its address is known only
// once the server has answered: so it is opened empty at once and sent on later.
import { connectingStrings } from '../strings/integrations.ts';

export interface OpenedWindow {
  /** False when the browser blocked it, or when it was closed meanwhile. */
  show(link: string): boolean;
  close(): void;
}

const SHAPE = 'popup,width=560,height=760';

export function openWindow(): OpenedWindow {
  const opened = window.open('', '_blank', SHAPE);
  if (opened !== null) {
    opened.document.title = connectingStrings.opening;
    opened.document.body.textContent = connectingStrings.opening;
  }
  return {
    show(link) {
      if (opened === null || opened.closed) return false;
      // The page that is shown next is not ours and gets no hold of this one.
      opened.opener = null;
      opened.location.replace(link);
      opened.focus();
      return true;
    },
    close: () => opened?.close(),
  };
}
