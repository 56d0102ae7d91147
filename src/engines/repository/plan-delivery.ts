// Whether what a run did may be pushed, asked again when it is about to be: the right of the connection, the scope of the
// run, and its person's membership may have changed while it worked. And the only ways out of the sandbox that pushes.
import { findConnection } from '../../connections/find-connection.ts';
import { isPrivateHost } from '../../net/private-address.ts';
import { connectScopes } from '../../runs/record/run-authority.ts';
import type { Run } from '../../runs/record/run.ts';
import type { CreateInput } from '../../sandbox/protocol.ts';
import { selectAccounts } from '../clients/accounts.ts';
import type { ClientDeps } from '../clients/client-deps.ts';
import { CODE_HOSTS } from '../clients/code-hosts.ts';
import { readToken } from '../clients/read-token.ts';
import { isStillMember } from '../clients/run-scope.ts';
import type { Checkout } from './check-out.ts';
import { openPullRequestApi, type PullRequestApi } from './pull-requests.ts';

/** Why nothing is delivered, for the person. */
export class DeliveryRefused extends Error {
  override readonly name = 'DeliveryRefused';
}

export interface DeliveryPlan {
  readonly branch: string;
  /** Of the repository, at the broker. */
  readonly address: string;
  /** Of the code host. */
  readonly host: string;
  readonly network: NonNullable<CreateInput['network']>;
  /** Absent if only the branch is wanted. */
  readonly api?: PullRequestApi | undefined;
}

const PUSH_BROKER = 'push.broker';
export const API_BROKER = 'api.broker';
const PUSH_BUDGET = { maxRequests: 20, maxBytes: 512 * 1024 ** 2 };
const API_BUDGET = { maxRequests: 2, maxBytes: 8 * 1024 ** 2 };

export function branchOf(runId: string): string {
  return `runs/${runId}`;
}

export async function planDelivery(
  deps: ClientDeps,
  run: Run,
  { connection: id, repository }: Checkout,
  signal: AbortSignal,
): Promise<DeliveryPlan> {
  const { organizationId, workspaceId, createdBy: userId } = run;
  if (organizationId === undefined || workspaceId === undefined || userId === undefined)
    throw new DeliveryRefused('the run belongs to no one');
  const scope = { organizationId, workspaceId, userId };
  if (!connectScopes(run).includes('connect:write') || !(await isStillMember(deps.db, scope)))
    throw new DeliveryRefused('the person who started the run may not change connected apps any more');
  const connection = await findConnection(deps.db, scope, id);
  if (connection?.policy.push !== 'branches')
    throw new DeliveryRefused('the settings of the connection do not allow pushing');
  const { enforce, selected } = connection.policy.repositories;
  if (enforce && !selected.includes(repository))
    throw new DeliveryRefused('the repository is not selected in the settings of the connection');
  const { accounts, leftOut } = selectAccounts([connection], deps.catalog, { capabilities: [], mayWrite: true });
  const [account] = accounts;
  if (account?.client !== 'git')
    throw new DeliveryRefused(`the connection cannot be used: ${leftOut[0]?.reason ?? 'it is not a code host'}`);
  const known = CODE_HOSTS[connection.provider];
  const { token, host = known?.host } = await readToken(deps, account, signal);
  if (known === undefined || host === undefined) throw new DeliveryRefused('the connection is not a code host');
  const origin = (name: string): string =>
    `${deps.allowPrivate && isPrivateHost(name.replace(/:\d+$/, '')) ? 'http' : 'https'}://${name}`;
  const publicOnly = !deps.allowPrivate;
  const branch = branchOf(run.id);
  const api = run.deliver === 'pull-request' ? openPullRequestApi(connection.provider, host, repository) : undefined;
  const path = `/${repository}.git`;
  return {
    branch,
    address: `http://${PUSH_BROKER}${path}`,
    host,
    api,
    network: {
      brokers: [
        {
          host: PUSH_BROKER,
          target: origin(host),
          headers: { authorization: `Basic ${Buffer.from(`${known.user}:${token}`).toString('base64')}` },
          paths: [`GET ${path}/info/refs`, `POST ${path}/git-upload-pack`, `POST ${path}/git-receive-pack`],
          pushes: `refs/heads/${branch}`,
          publicOnly,
          ...PUSH_BUDGET,
        },
        ...(api === undefined
          ? []
          : [
              {
                host: API_BROKER,
                target: origin(api.host),
                headers: { authorization: api.authorization(token) },
                paths: [...api.paths],
                publicOnly,
                ...API_BUDGET,
              },
            ]),
      ],
    },
  };
}
