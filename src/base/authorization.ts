// The one reader of the `Authorization` header. Who decides whether a cookie counts, whether a request may come from
// another origin and whose token it is must all read the same thing: two readers that disagree are a way in.

/** The headers of a fetch request or, as lower-case names, of a node:http one. */
export type RequestHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>;

/**
 * A header that is there but is no bearer's is `malformed`: nobody is let in with it, and nothing else that the
 * request carries is looked at in its place.
 */
export type Authorization =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'malformed' };

/** A token may hold inner blanks, because an operator may have chosen one that does; those around it are not part of it. */
export function readAuthorization(headers: RequestHeaders): Authorization {
  const value = readHeader(headers, 'authorization');
  if (value === undefined) return { kind: 'absent' };
  const token = /^bearer +(\S.*)$/i.exec(value.trim())?.[1];
  return token === undefined ? { kind: 'malformed' } : { kind: 'bearer', token };
}

export function readHeader(headers: RequestHeaders, name: string): string | undefined {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

function isFetchHeaders(headers: RequestHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}
