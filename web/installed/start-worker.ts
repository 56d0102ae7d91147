// Registers the service worker, and notices when a newer build has taken over while the page is open. A page works the
// same without a worker: over plain HTTP, or where the browser has none.

/** How often a page that is looked at again asks for a newer build. */
const CHECK_EVERY_MS = 15 * 60_000;

let newVersion = false;
const listeners = new Set<() => void>();

export function hasNewVersion(): boolean {
  return newVersion;
}

export function subscribeNewVersion(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** `open` shows a page of the app: that of a notification that was pressed. */
export function startWorker(open: (path: string) => void): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  let isControlled = workers.controller !== null;
  workers.addEventListener('controllerchange', () => {
    if (isControlled) void noticeNewVersion();
    isControlled = true;
  });
  workers.addEventListener('message', ({ data }) => {
    const { open: path } = (data ?? {}) as { open?: unknown };
    if (typeof path === 'string' && path.startsWith('/')) open(path);
  });
  // Storage may be off, which forbids workers too.
  void workers.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => {});
  let checkedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = Date.now();
    void findWorker()
      .then((registration) => registration?.update())
      .catch(() => {});
  });
}

/** A page that was opened just before the newer worker took over is of the newer build itself. */
async function noticeNewVersion(): Promise<void> {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const served = await fetch('/', { headers: { accept: 'text/html' } }).then(
    (response) => response.text(),
    () => '',
  );
  newVersion = entry === null || entry === undefined || !served.includes(entry);
  for (const listener of listeners) listener();
}

export async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}
