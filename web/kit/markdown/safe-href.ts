const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** The address of a link in untrusted text, or undefined: no scripts, data URLs or paths of our own origin. */
export function safeHref(target: string): string | undefined {
  const url = URL.parse(target.trim());
  return url !== null && SCHEMES.has(url.protocol) ? url.href : undefined;
}
