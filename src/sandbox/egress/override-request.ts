// Ways to say one method or path on the request line and mean another: some servers let a header, a parameter of the
// query or a field of a form overrule it. A broker's rules judge the request line, so nothing else may count.

/** Headers that no broker passes on. Some servers read `_` in a name as `-`. */
export function isOverridingHeader(name: string): boolean {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return /(?:^|-)method(?:-|$)|^x-(?:original|rewrite|override)-ur[il]$|^x-forwarded-|^forwarded$/.test(plain);
}

const OVERRIDING_PARAMETER =
  /^(?:_method|_?http[-_]?method|x-(?:http-)?method(?:-override)?|\$httpmethod|method[-_]override)$/i;
/** How forms are sent; the servers that look for `_method` look there. */
const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i;

/** Whether a request to a path that is open to one method asks for another by its query or could in a form. */
export function mayMeanAnotherMethod(search: URLSearchParams, contentType: string | undefined): boolean {
  return FORM.test(contentType ?? '') || [...search.keys()].some((name) => OVERRIDING_PARAMETER.test(name));
}
