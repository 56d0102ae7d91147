/** Why no short-lived credential could be obtained, for the user whose run needs it. Never contains a credential. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
}
