// Which requests use a stored provider key, in the words that the command line and the web app share.
import { joinWords } from './join-words.ts';

/** Requests that can use a key, in the order in which they are listed. */
export const KEY_USERS = {
  workspace_chat: 'chat in this workspace',
  named_chat: 'chat that names this workspace',
  inheriting_chat: 'chat in every workspace without a key of its own',
  unplaced_chat: 'chat that names no workspace',
  runs: 'background runs',
  funded_runs: 'background runs that this workspace pays for',
  attachments: 'attachments',
  titles: 'thread titles',
  global_requests: 'API requests to the workspace global',
} as const satisfies Record<string, string>;
export type KeyUser = keyof typeof KEY_USERS;

/** Why no request uses a key, as the end of a sentence. */
export const UNUSED = {
  provider_not_callable: 'the service does not call this provider itself; a Models account can route its models',
  provider_disabled: 'the organization has disabled this provider',
  undecryptable: 'it can no longer be decrypted, so requests that need it fail',
  organization_has_no_key:
    'the organization has no key for this provider, and without one the keys of its workspaces are not read',
} as const satisfies Record<string, string>;
export type UnusedReason = keyof typeof UNUSED;

export interface KeyUse {
  /** Empty exactly when `unused` says why. */
  readonly by: KeyUser[];
  readonly unused?: UnusedReason | undefined;
  /** The workspace has a Models account, which pays for the models that it routes. */
  readonly behindModelsAccount?: boolean | undefined;
}

const CHAT_IN_WORKSPACES: readonly KeyUser[] = ['workspace_chat', 'named_chat', 'inheriting_chat'];

/**
 * Whether a key is in use, but not by chat in workspaces: the organization's key while workspaces do not inherit it.
 */
export function leavesOutChat({ by, unused }: KeyUse): boolean {
  return unused === undefined && !by.some((user) => CHAT_IN_WORKSPACES.includes(user));
}

/** As a table cell. */
export function summarizeKeyUse({ by, unused }: KeyUse): string {
  return unused === undefined ? by.map((user) => KEY_USERS[user]).join(', ') : `no request: ${UNUSED[unused]}`;
}

/** In full sentences. */
export function describeKeyUse(use: KeyUse): string {
  if (use.unused !== undefined) return `No request uses this key now: ${UNUSED[use.unused]}.`;
  const sentences = [`Used by ${joinWords(use.by.map((user) => KEY_USERS[user]))}.`];
  if (leavesOutChat(use)) sentences.push('Chat in workspaces does not use it while inheritance is off.');
  if (use.behindModelsAccount) sentences.push('A Models account comes first, for the models that it routes.');
  return sentences.join(' ');
}
