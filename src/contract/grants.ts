// Clients that a person has approved by OAuth, as `/api/oauth/grants` lists them.
import type { Scope } from './tokens.ts';

export interface GrantOnWire {
  readonly id: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly organization: string;
  readonly workspace?: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly usedAt: string;
}

export interface GrantPage {
  readonly grants: readonly GrantOnWire[];
  readonly cursor?: string;
}
