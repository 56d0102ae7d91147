import type { LinkKind } from './one-use-links.ts';

const PAGES = { 'reset-password': '/reset-password', 'prove-address': '/prove-address' } as const satisfies Record<
  LinkKind,
  string
>;

/** The secret is in the fragment, which browsers send to nobody: no log, no proxy and no referrer has it. */
export function linkUrl(publicUrl: string, kind: LinkKind, secret: string): string {
  return `${publicUrl}${PAGES[kind]}#${secret}`;
}
