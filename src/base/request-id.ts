/** What is taken for the id of a request: in every process the same, so that one id stands in the answer and in every log. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && REQUEST_ID.test(text);
}
