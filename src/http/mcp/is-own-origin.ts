// A browser names the page that sends a request. A page elsewhere must not reach the gateway through somebody's
// browser, also not under a name that it made point here: an origin that merely equals Host proves nothing.
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return (
    given.origin === new URL(publicUrl).origin || (LOOPBACK.has(given.hostname) && given.host === host?.toLowerCase())
  );
}
