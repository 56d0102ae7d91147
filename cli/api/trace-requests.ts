// --debug: a line on standard error per request. It has neither the query nor headers nor a body, so that no secret and
// no content is printed.
let write: ((line: string) => void) | undefined;

/** Traces every request from now on, or none. */
export function traceRequests(given: ((line: string) => void) | undefined): void {
  write = given;
}

export function traceRequest({ method, url }: Request, startedMs: number, response: Response | undefined): void {
  if (!write) return;
  const { origin, pathname } = new URL(url);
  const id = response?.headers.get('x-request-id');
  const ms = Math.round(performance.now() - startedMs);
  write(
    [`${method} ${origin}${pathname}`, response?.status ?? 'no response', `${ms} ms`, ...(id ? [id] : [])].join('  '),
  );
}
