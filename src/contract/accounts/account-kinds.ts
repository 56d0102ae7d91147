// What a Models account can be, for pages too: no schema is loaded with it.
export const ACCOUNT_PROTOCOLS = ['chat', 'responses', 'messages'] as const;
export type AccountProtocol = (typeof ACCOUNT_PROTOCOLS)[number];

/** How an account is authorized, and the protocols that can be spoken there. The first is the usual one. */
export const ACCOUNT_AUTHS = {
  bearer: ['chat', 'responses', 'messages'],
  azure: ['chat', 'responses'],
  aws: ['messages', 'chat'],
  google: ['messages', 'chat'],
} as const satisfies Record<string, readonly [AccountProtocol, ...AccountProtocol[]]>;
export type AccountAuth = keyof typeof ACCOUNT_AUTHS;

export const accountAuths = (): [AccountAuth, ...AccountAuth[]] =>
  Object.keys(ACCOUNT_AUTHS) as [AccountAuth, ...AccountAuth[]];

export function takesProtocol(auth: AccountAuth, protocol: AccountProtocol): boolean {
  return (ACCOUNT_AUTHS[auth] as readonly AccountProtocol[]).includes(protocol);
}

/** Of a workspace, and of the organization. */
export const MOST_ACCOUNTS = 20;
