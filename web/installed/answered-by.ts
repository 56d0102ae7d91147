import { isPageAddress } from '../../src/contract/pages.ts';

/** What the service worker does with a request; undefined if it leaves it alone. */
export function answeredBy(
  { method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>,
  home: string,
): 'cache' | 'offline-page' | 'offline-script' | undefined {
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== home) return undefined;
  if (mode === 'navigate') return isPageAddress(pathname) ? 'offline-page' : undefined;
  if (pathname.startsWith('/assets/')) return 'cache';
  return pathname === '/before-paint.js' ? 'offline-script' : undefined;
}
