// The window in which a person authorizes. Browsers open one only in answer to a click, and its address is known only
// once the server has answered: so it is opened empty at once and sent on later.
import { connectingStrings } from './strings.ts';

export interface OpenedWindow {
  /** False when the browser blocked it, or when it was closed meanwhile. */
  show(link: string): boolean;
  /** Says how the window ended when it did so without a connection, as far as it can be seen from here; returns how to stop. */
  watch(onEnd: (end: WindowEnd) => void): () => void;
  close(): void;
}

export type WindowEnd = 'closed' | 'refused';

/** What the connect page says to whoever shows it: that it was told to close, or that nothing was authorized. */
const SAID: Readonly<Record<string, WindowEnd>> = { close: 'closed', error: 'refused' };
const LOOK_EVERY_MS = 500;

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
    watch(onEnd) {
      const heard = new WeakSet<Document>();
      let stopped = false;
      const timer = setInterval(() => {
        if (opened === null || opened.closed) {
          clearInterval(timer);
          return onEnd('closed');
        }
        const page = findDocument(opened);
        if (page === undefined || heard.has(page)) return undefined;
        heard.add(page);
        return opened.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
          const type = typeof data === 'object' && data !== null && 'type' in data ? String(data.type) : '';
          if (!stopped && source === opened && Object.hasOwn(SAID, type) && SAID[type] !== undefined) onEnd(SAID[type]);
        });
      }, LOOK_EVERY_MS);
      return () => {
        stopped = true;
        clearInterval(timer);
      };
    },
    close: () => opened?.close(),
  };
}

/** The connect page is served below our own origin; while an app's own page is shown, nothing of the window can be seen. */
function findDocument(opened: Window): Document | undefined {
  try {
    return opened.location.origin === window.location.origin ? opened.document : undefined;
  } catch {
    return undefined;
  }
}
