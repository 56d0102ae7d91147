// Who may call a route of the web server. Every route declares a need; src/http/web/authorize.ts has a rule for each,
// and the printed contract shows the sentence.
import { type AnyContractProcedure, oc } from '@orpc/contract';
import type { RouteCost, RouteMeta } from './route-cost.ts';

export const NEEDS = {
  'signed-in': 'Anyone who is signed in.',
  own: "The person it belongs to, or is addressed to. To everyone else it doesn't exist.",
  shared: "Members of the workspace that it is shared with. To everyone else it doesn't exist.",
  project:
    "The person who manages it and, where it is shared, members of the project's workspace, and owners and admins of the organization. To everyone else it doesn't exist.",
  'project:change':
    "The person who manages it, members of its workspace where it is shared to be changed, and owners and admins who are in the workspace. To anyone who does not see it, it doesn't exist.",
  'project:manage':
    "The person who manages it and, where it is shared, owners and admins of the workspace or of the organization. To anyone who does not see it, it doesn't exist.",
  'project:take-over':
    "Owners and admins of the workspace, and those of the organization who are in it. To anyone who does not see the project, it doesn't exist.",
  member: 'Members of the organization.',
  'member-if-named': 'Anyone who is signed in. Where an organization is named, its members.',
  'organization:owner': 'Owners of the organization.',
  'organization:restore': "Owners of the deleted organization. To everyone else it doesn't exist.",
  'settings:general': 'Owners and admins of the organization.',
  'settings:members': 'Owners and admins of the organization.',
  'settings:members-or-oneself': 'Owners and admins of the organization, and the member themselves.',
  'settings:guardrails': 'Owners and admins of the organization.',
  'settings:models': 'Owners and admins of the organization.',
  'settings:policy': 'Owners and admins of the organization.',
  'settings:feedback': 'Owners and admins of the organization.',
  'settings:plan': 'Owners and admins of the organization.',
  'settings:provisioning': 'Owners of the organization.',
  'organization-scope': 'Members of the organization.',
  'organization-scope:manage': 'Owners and admins of the organization.',
  workspace: 'Members of the workspace, and owners and admins of the organization.',
  'workspace:manage': 'Owners and admins of the workspace or of the organization.',
  'workspace:manage-or-oneself':
    'Owners and admins of the workspace or of the organization, and the member themselves.',
  'workspace-member': 'Members of the workspace; without one, members of the organization.',
  'prompt:change':
    "The person who made it and, where it is shared, owners and admins of the workspace or of the organization. To anyone who can't use it, it doesn't exist.",
  'models-account:manage': 'Owners and admins of the workspace or of the organization.',
  'turn-scope': 'Members of the workspace; without one, members of the organization.',
  'key-scope': 'Members of the workspace, and owners and admins of the organization; for `global`, its members.',
  'key-scope:manage':
    'Owners and admins of the workspace or of the organization; for `global`, owners and admins of the organization.',
} as const satisfies Record<string, string>;
export type Need = keyof typeof NEEDS;

/**
 * Where a request names the organization or workspace. `body` is checked right after parsing, the others before the
 * body is read.
 */
export type NamedIn = 'path' | 'query' | 'body';

export interface Authority {
  readonly need: Need;
  readonly namedIn: NamedIn;
}

export interface WebRouteMeta extends RouteMeta {
  readonly authority: Authority;
}

/** Starts a route of the web contract. */
export const route = (cost: RouteCost, need: Need, namedIn: NamedIn = 'path') =>
  oc.$meta<WebRouteMeta>({ cost, authority: { need, namedIn } });

interface WebRoute extends AnyContractProcedure {
  readonly '~orpc': AnyContractProcedure['~orpc'] & { readonly meta: WebRouteMeta };
}

/** A contract in which every route declares who may call it; a route that does not is a type error. */
export interface WebRoutes {
  readonly [name: string]: WebRoute | WebRoutes;
}
