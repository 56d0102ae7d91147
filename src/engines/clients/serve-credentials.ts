// Serves the credential helper of a run: only for the run's profiles, and only while the connection exists and is usable and
// the person is still a member.
import { CloudError } from '../../clouds/cloud-error.ts';
import { isUsableStatus } from '../../connections/connection-status.ts';
import { findConnection } from '../../connections/find-connection.ts';
import type { RunEndpointHandler } from '../run-callback-server.ts';
import type { ClientAccount } from './accounts.ts';
import { credentialPath } from './aws-config.ts';
import type { ClientDeps } from './client-deps.ts';
import { createAwsIssuer } from './issue-aws-credentials.ts';
import { isStillMember, type RunScope } from './run-scope.ts';

export function serveCredentials(
  deps: ClientDeps,
  scope: RunScope,
  accounts: readonly ClientAccount[],
  signal: AbortSignal,
): RunEndpointHandler {
  const issuer = createAwsIssuer(deps);
  const byPath = new Map(accounts.map((account) => [credentialPath(account.profile), account.connection.id]));
  return async (request, response) => {
    const say = (status: number, text: string): void =>
      void response
        .writeHead(status, {
          'content-type': status === 200 ? 'application/json' : 'text/plain',
          'cache-control': 'no-store',
        })
        .end(text);
    const id = byPath.get(request.url ?? '');
    if (request.method !== 'GET' || id === undefined) return say(404, 'Unknown profile.');
    if (!(await isStillMember(deps.db, scope)))
      return say(403, 'The person who started the run is no longer a member of its workspace.');
    const connection = await findConnection(deps.db, scope, id);
    if (!connection || !isUsableStatus(connection.status))
      return say(409, `The connection is ${connection?.status ?? 'gone'}.`);
    try {
      return say(200, JSON.stringify(await issuer.issue(connection, signal)));
    } catch (error) {
      if (!(error instanceof CloudError))
        deps.log.warn({ connection: id, err: error }, 'could not issue cloud credentials to a run');
      return say(502, error instanceof CloudError ? error.message : 'The credential could not be read.');
    }
  };
}
