// A browser without pages: it keeps cookies by origin, and follows no redirect by itself.

export interface Jar {
  /** Undefined for one that was deleted. */
  readonly cookies: Map<string, string>;
  header(): string;
  take(headers: Headers): void;
}

export function createJar(): Jar {
  const cookies = new Map<string, string>();
  return {
    cookies,
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    take(headers) {
      for (const cookie of headers.getSetCookie()) {
        const [pair = '', ...attributes] = cookie.split(';');
        const at = pair.indexOf('=');
        const expired = attributes.some((one) => /^\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(one));
        if (expired) cookies.delete(pair.slice(0, at));
        else cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
    },
  };
}
