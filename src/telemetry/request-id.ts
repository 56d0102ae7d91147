/** The form of a request id, the same in every process, so that one id appears in the response and in every log. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && REQUEST_ID.test(text);
}
