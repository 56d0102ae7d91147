// The service worker of the installed app. It keeps the files of the build, which have a hash in their name, and a page
// for when there is no connection: nothing that needs a session, so nothing of a person stays behind. Every other
// request, such as those of the API and of streams, goes past it.
import { answeredBy } from './answered-by.ts';

interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface WorkerFetch extends WorkerEvent {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
interface WorkerClick extends WorkerEvent {
  readonly notification: Notification;
}
interface WindowClient {
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
/** The part of a worker's scope that is used here; the library of pages does not declare it. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window' }): Promise<readonly WindowClient[]>;
    openWindow(path: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetch) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: WorkerClick) => void): void;
}

const worker = globalThis as unknown as WorkerScope;
/** The build writes its own hash here, so that every build has another worker and another cache. */
const CACHE = 'build __BUILD__';
const OFFLINE_PAGE = '/offline.html';
const OFFLINE_SCRIPT = '/before-paint.js';

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (answeredBy(request, location.origin)) {
    case 'cache':
      return event.respondWith(fromCache(request));
    case 'offline-page':
      return event.respondWith(orOffline(openPage(event), OFFLINE_PAGE));
    case 'offline-script':
      return event.respondWith(orOffline(fetch(request), OFFLINE_SCRIPT));
    case undefined:
      return undefined;
  }
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

/** It takes over at once: pages always come from the network, so an old one never meets files that are not its own. */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE_PAGE, OFFLINE_SCRIPT].map((path) => new Request(path, { cache: 'reload' })));
  await worker.skipWaiting();
}

async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  // The page is requested while the worker starts.
  await worker.registration.navigationPreload.enable();
  await worker.clients.claim();
}

async function fromCache(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request, answer.clone());
  return answer;
}

async function openPage({ request, preloadResponse }: WorkerFetch): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

async function orOffline(answer: Promise<Response>, path: string): Promise<Response> {
  try {
    return await answer;
  } catch (error) {
    const kept = await caches.match(path);
    if (!kept) throw error;
    return kept;
  }
}

/** In a tab of the app, if there is one. */
async function open(path: string): Promise<void> {
  const [tab] = await worker.clients.matchAll({ type: 'window' });
  if (!tab) return void (await worker.clients.openWindow(path));
  await tab.focus();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of a worker takes no origin
  tab.postMessage({ open: path });
}
