const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** The address of a link in somebody else's text, or nothing: no scripts, no data, no paths of our own origin. */
export function safeHref(target: string): string | undefined {
  const url = URL.parse(target.trim());
  return url !== null && SCHEMES.has(url.protocol) ? url.href : undefined;
}
