/** The parameters with a value: `?cursor=` counts as no cursor. */
export function filledQuery(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([, value]) => value !== ''));
}
