/** Why no short-lived credential is to be had, in words for the person whose run asked for it. Never a credential. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
}
