// The window in which a person authorizes. Browsers open one only on a click, and its address is known only once the
// server has responded: it is opened empty and navigated later.
import { connectingStrings } from './strings.ts';

export interface OpenedWindow {
  /** False when the browser blocked it or it was closed. */
  show(link: string): boolean;
  /** Reports how the window ended without a connection, as far as this page can see; returns a function to stop. */
  watch(onEnd: (end: WindowEnd) => void): () => void;
  close(): void;
}

export type WindowEnd = 'closed' | 'refused';

/** Messages of the connect page: it was closed, or nothing was authorized. */
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
      // The next page is not ours and must not get a reference to this one.
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

/** The connect page has our origin; the window is opaque while it shows an app's own page. */
function findDocument(opened: Window): Document | undefined {
  try {
    return opened.location.origin === window.location.origin ? opened.document : undefined;
  } catch {
    return undefined;
  }
}
