// The access request of an MCP client to the authorization server, and the person's decision.
import { call } from '../../api/identity.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

export interface ConsentRequest {
  readonly request: {
    readonly id: string;
    /** The name is self-declared; the host is present when it has been verified. */
    readonly client: { readonly name: string; readonly verifiedHost?: string };
    readonly redirectHost: string;
    readonly scopes: readonly string[];
    /** Whether it may refresh its access. */
    readonly offline: boolean;
    /** Why the request is invalid; it can then only be sent back. */
    readonly fault?: { readonly error: string; readonly description: string };
  };
  readonly organizations: readonly (Choice & {
    readonly workspaces: readonly (Choice & { readonly kind: string })[];
  })[];
}

/** Without a workspace the client can access all workspaces of the person. */
export type ConsentAnswer =
  | { readonly approve: false }
  | { readonly approve: true; readonly organization: string; readonly workspace?: string };

export async function readConsentRequest(id: string): Promise<ConsentRequest> {
  return (await call('GET', `/api/oauth/requests/${encodeURIComponent(id)}`)) as ConsentRequest;
}

/** Sends the decision and returns the redirect to the client. */
export async function answerConsentRequest(id: string, answer: ConsentAnswer): Promise<string> {
  const { redirect } = (await call('POST', `/api/oauth/requests/${encodeURIComponent(id)}`, answer)) as {
    redirect: string;
  };
  return redirect;
}
