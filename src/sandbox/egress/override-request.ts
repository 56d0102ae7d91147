// Some servers let a header, a query parameter or a form field override the method or path of the request line. A
// broker's rules judge the request line, so such overrides are refused.

/** Headers that no broker passes on. Some servers read `_` in a name as `-`. */
export function isOverridingHeader(name: string): boolean {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return /(?:^|-)method(?:-|$)|^x-(?:original|rewrite|override)-ur[il]$|^x-forwarded-|^forwarded$/.test(plain);
}

const OVERRIDING_PARAMETER =
  /^(?:_method|_?http[-_]?method|x-(?:http-)?method(?:-override)?|\$httpmethod|method[-_]override)$/i;
/** The content types of forms, in which some servers look for `_method`. */
const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i;

/** Whether a request to a path that allows one method asks for another in its query, or could in a form. */
export function mayMeanAnotherMethod(search: URLSearchParams, contentType: string | undefined): boolean {
  return FORM.test(contentType ?? '') || [...search.keys()].some((name) => OVERRIDING_PARAMETER.test(name));
}
