// Runs in the dashboard's page before its own scripts: requests to root paths of its own origin are sent below the
// prefix. Other paths of the origin that it knows (the Connect UI, the OAuth callback) stay as they are.

const ELSEWHERE = ['/integrations-connect', '/oauth'];

export function dashboardScript(prefix: string): string {
  return `(${relocate.toString()})(${JSON.stringify(prefix)},${JSON.stringify([prefix, ...ELSEWHERE])})`;
}

/** Runs in the browser, from its source text: it must not use anything from outside. */
function relocate(prefix: string, places: readonly string[]): void {
  // oxlint-disable-next-line typescript/no-explicit-any -- browser globals, which have no types here
  const page = globalThis as any;
  const isUnder = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
  const move = (given: unknown): unknown => {
    const url = URL.parse(String(given), page.location.href);
    if (
      !url ||
      !/^(?:http|ws)s?:$/.test(url.protocol) ||
      url.host !== page.location.host ||
      places.some((place) => isUnder(url.pathname, place))
    )
      return given;
    url.pathname = prefix + url.pathname;
    return url.href;
  };
  const { fetch, Request, XMLHttpRequest, Element } = page;
  page.fetch = (input: unknown, init: unknown) =>
    fetch(input instanceof Request ? new Request(move((input as { url: string }).url), input) : move(input), init);
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (this: unknown, method: string, url: unknown, ...rest: unknown[]) {
    return open.call(this, method, move(url), ...rest);
  };
  for (const name of ['WebSocket', 'EventSource', 'Worker'])
    page[name] = new Proxy(page[name], {
      construct: (target, [url, ...rest]: unknown[]) => new target(move(url), ...rest),
    });
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (this: unknown, name: string, value: unknown) {
    return setAttribute.call(
      this,
      name,
      (name === 'src' || name === 'href') && /^\/(?!\/)/.test(String(value)) ? move(value) : value,
    );
  };
  for (const [kind, name] of [
    ['HTMLLinkElement', 'href'],
    ['HTMLScriptElement', 'src'],
    ['HTMLImageElement', 'src'],
  ] as const) {
    const own = Object.getOwnPropertyDescriptor(page[kind].prototype, name);
    if (!own?.set || !own.get) continue;
    const { get, set } = own;
    Object.defineProperty(page[kind].prototype, name, {
      ...own,
      get,
      set(value: unknown) {
        set.call(this, move(value));
      },
    });
  }
}
