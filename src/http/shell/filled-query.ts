/** The parameters that say something: `?cursor=` is as good as no cursor at all. */
export function filledQuery(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([, value]) => value !== ''));
}
