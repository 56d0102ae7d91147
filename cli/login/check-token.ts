import { sendForJson } from '../api/send.ts';

interface Named {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** As in src/contract/caller/caller.ts, whose schemas would take longer to load than everything else. */
export interface TokenOwner {
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly organization: Named | null;
  readonly workspace: Named | null;
}

/** Who the token acts for. Throws unless the service accepts it. */
export function checkToken(url: string, token: string): Promise<TokenOwner> {
  return sendForJson<TokenOwner>(url, '/runtime/caller', { bearer: token });
}
