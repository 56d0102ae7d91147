// The question an MCP client asks through the authorization server, and the person's answer to it.
import { call } from '../../api/identity.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

export interface ConsentRequest {
  readonly request: {
    readonly id: string;
    /** The name is the client's own word; a host is there when the client has proved it. */
    readonly client: { readonly name: string; readonly verifiedHost?: string };
    readonly redirectHost: string;
    readonly scopes: readonly string[];
    /** Whether it may renew its access by itself. */
    readonly offline: boolean;
    /** Why the request cannot be met; it can then only be sent back. */
    readonly fault?: { readonly error: string; readonly description: string };
  };
  readonly organizations: readonly (Choice & {
    readonly workspaces: readonly (Choice & { readonly kind: string })[];
  })[];
}

/** Without a workspace the client reaches all that the person is in. */
export type ConsentAnswer =
  | { readonly approve: false }
  | { readonly approve: true; readonly organization: string; readonly workspace?: string };

export async function readConsentRequest(id: string): Promise<ConsentRequest> {
  return (await call('GET', `/api/oauth/requests/${encodeURIComponent(id)}`)) as ConsentRequest;
}

/** Answers, and says where the browser goes next: back to the client. */
export async function answerConsentRequest(id: string, answer: ConsentAnswer): Promise<string> {
  const { redirect } = (await call('POST', `/api/oauth/requests/${encodeURIComponent(id)}`, answer)) as {
    redirect: string;
  };
  return redirect;
}
