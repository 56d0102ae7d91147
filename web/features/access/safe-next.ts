/** Where to go after signing in: a path of this origin and nothing else, whatever the address bar was given. */
export function safeNext(next: unknown, origin: string): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/';
  const target = URL.parse(next, origin);
  // Dot segments may leave two slashes in front, which a browser reads as another host.
  if (target === null || target.origin !== origin || target.pathname.startsWith('//')) return '/';
  return `${target.pathname}${target.search}${target.hash}`;
}
