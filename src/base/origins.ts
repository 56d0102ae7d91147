/**
 * A list of web origins in configuration: `https://app.example.com, http://localhost:5173`. Undefined for anything
 * else.
 */
export function parseOrigins(text: string): ReadonlySet<string> | undefined {
  const origins = text.split(',').map((origin) => origin.trim());
  return origins.every(isOrigin) ? new Set(origins) : undefined;
}

/** Exactly as a browser sends it: no path, no trailing slash, no default port. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
