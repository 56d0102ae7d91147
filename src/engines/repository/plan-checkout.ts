// Which repository a run gets before it begins, and how its sandbox reaches it: through the broker of the connection, and
// only if the connection's own rules let a run read it.
import type { RepositoryWish } from '../../runs/environments/environment.ts';
import type { Delivery } from '../../runs/record/run.ts';
import { RunFailure } from '../../runs/delivery/engine.ts';
import { capabilityKey } from '../../connections/capabilities.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { type ClientAccount, type LeftOut, nameOf } from '../clients/accounts.ts';
import { CODE_HOSTS } from '../clients/code-hosts.ts';
import type { KeptCheckout } from './kept-checkouts.ts';

export interface CheckoutPlan {
  /** The id of the connection. */
  readonly connection: string;
  readonly repository: string;
  readonly ref: string | undefined;
  /** As people write it. */
  readonly remote: string;
  /** The same at the broker. */
  readonly address: string;
  readonly directory: string;
  /** What was checked out before. */
  readonly kept?: KeptCheckout | undefined;
}

const NAME = /^[\w.-]+(?:\/[\w.-]+)+$/;
/** What git takes as one ref, and never as an option or two. */
const REF = /^[\w][\w./+@-]{0,199}$/;
/** Directories of /workspace that mean something else. */
const TAKEN = /^(?:\..*|artifacts)$/;

export function findWished(connections: readonly Connection[], { connection }: RepositoryWish): Connection | undefined {
  return connections.find((each) => [each.id, nameOf(each), capabilityKey(each)].includes(connection));
}

export function planCheckout(
  wish: RepositoryWish,
  connection: Connection | undefined,
  {
    accounts,
    leftOut,
  }: { accounts: readonly (ClientAccount & { host?: string | undefined })[]; leftOut: readonly LeftOut[] },
): CheckoutPlan {
  const { name, ref } = wish;
  if (connection === undefined) throw unavailable(wish, 'the connection does not exist');
  const reason = leftOut.find((each) => each.connection === nameOf(connection))?.reason;
  if (reason !== undefined) throw unavailable(wish, reason);
  const account = accounts.find((each) => each.connection.id === connection.id);
  const host = account?.host ?? CODE_HOSTS[connection.provider]?.host;
  if (account === undefined || host === undefined) throw unavailable(wish, 'the connection is not a code host');
  if (!NAME.test(name) || name.split('/').some((part) => /^\.{1,2}$/.test(part)))
    throw unavailable(wish, 'this is not the name of a repository');
  const { enforce, selected } = connection.policy.repositories;
  if (enforce && !selected.includes(name))
    throw unavailable(wish, 'it is not selected in the settings of the connection');
  if (ref !== undefined && (!REF.test(ref) || /\.\.|\.lock$|@\{|\/\/|[./]$/.test(ref)))
    throw unavailable(wish, `${JSON.stringify(ref)} is not the name of a branch, a tag or a commit`);
  const last = name.split('/').at(-1) ?? name;
  return {
    connection: connection.id,
    repository: name,
    ref,
    remote: `https://${account.isDefault ? '' : `${account.profile}@`}${host}/${name}.git`,
    address: `http://${account.label}.broker/${name}.git`,
    directory: `/workspace/${TAKEN.test(last) ? `repository-${last.replace(/^\.+/, '')}` : last}`,
  };
}

export function unavailable({ name, connection }: RepositoryWish, reason: string): RunFailure {
  return new RunFailure('repository_unavailable', `${name} cannot be checked out through ${connection}: ${reason}.`);
}

/** For the model. */
export function describeCheckout({ repository, directory, ref }: CheckoutPlan, deliver: Delivery | undefined): string {
  const where = `The repository ${repository} is checked out in ${directory}${ref === undefined ? '' : ` at ${ref}`}, without its history.`;
  return deliver === undefined
    ? `${where} Change it there: the person is shown what differs at the end, committed or not. Nothing can be pushed.`
    : `${where} Change it there and commit what you do, in commits that a reviewer can read: when you are done, they are pushed to a new branch${deliver === 'branch' ? '' : ' and a pull request is opened, with your answer as its text'}. You cannot push yourself.`;
}
