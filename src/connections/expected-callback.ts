const CALLBACK_PATH = '/oauth/callback';

export interface CallbackSources {
  /** SERVICE_OAUTH_CALLBACK_URL */
  readonly callbackUrl: string | undefined;
  /** The provider's own variable for its server URL. */
  readonly providerServerUrl: string | undefined;
  readonly publicUrl: string;
}

/** The callback URL every OAuth application must register: the first source that is set, plus the path. */
export function expectedCallback({ callbackUrl, providerServerUrl, publicUrl }: CallbackSources): string {
  const base = (callbackUrl || providerServerUrl || publicUrl).replace(/\/+$/, '');
  return base.endsWith(CALLBACK_PATH) ? base : `${base}${CALLBACK_PATH}`;
}
