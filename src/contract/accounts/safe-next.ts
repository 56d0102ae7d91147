/** Where to go after signing in: always a path of this origin, so the address cannot redirect elsewhere. */
export function safeNext(next: unknown, origin: string): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/';
  const target = URL.parse(next, origin);
  // Dot segments can leave two leading slashes, which a browser reads as another host.
  if (target === null || target.origin !== origin || target.pathname.startsWith('//')) return '/';
  return `${target.pathname}${target.search}${target.hash}`;
}
