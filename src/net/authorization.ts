// The one reader of the `Authorization` header. Whether a cookie counts, whether a request may come from another origin
// and whose token it is must all be decided on the same reading: two readers that disagree are a security hole.

/** The headers of a fetch request or, as lower-case names, of a node:http one. */
export type RequestHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>;

/** A header that is present but not a bearer token is `malformed`: it is refused, and no other credential is tried. */
export type Authorization =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'malformed' };

/** Surrounding blanks are not part of a token; inner ones are, because an operator may have chosen such a token. */
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
