// The connect token of a run: issued for the person who started it and the run's workspace, valid for minutes, limited to
// the scopes that the run was started with and the capabilities that it names. It cannot start another run. It is renewed
// while the run lasts and revoked when it ends. It never leaves the worker: no sandbox and no log ever contains it.
import { AppError } from '../base/errors.ts';
import type { Log } from '../telemetry/log.ts';
import { mintMemberToken } from '../tenancy/tokens/create-token.ts';
import type { MintDeps, MintedToken } from '../tenancy/tokens/mint-token.ts';
import { revokeToken } from '../tenancy/tokens/revoke-token.ts';
import type { Run } from '../runs/record/run.ts';
import { connectScopes } from '../runs/record/run-authority.ts';

export interface RunToken {
  /** A token that stays valid for a while. */
  get(): Promise<string>;
  close(): Promise<void>;
}

const LIFETIME_SECONDS = 10 * 60;
const RENEW_BEFORE_MS = 2 * 60_000;

export function createRunToken(deps: MintDeps, log: Log, run: Run, lifetimeSeconds = LIFETIME_SECONDS): RunToken {
  const { createdBy: userId, organizationId, workspaceId, capabilities } = run;
  const minted: string[] = [];
  let current: Promise<MintedToken> | undefined;

  async function mint(): Promise<MintedToken> {
    if (userId === undefined || organizationId === undefined) throw new AppError('workspace_membership_required');
    const token = await mintMemberToken(deps, {
      userId,
      organizationId,
      workspaceId,
      scopes: connectScopes(run),
      lifetimeSeconds,
      ...(capabilities.length === 0 ? {} : { capabilities }),
    }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found'
        ? new AppError('workspace_membership_required')
        : error;
    });
    minted.push(token.id);
    return token;
  }

  return {
    async get() {
      const known = await current?.catch(() => undefined);
      if (known && known.expiresAt.getTime() - deps.clock().getTime() > RENEW_BEFORE_MS) return known.token;
      current = mint();
      return (await current).token;
    },
    async close() {
      for (const id of minted)
        await revokeToken(deps, id).catch((error: unknown) =>
          log.warn({ job: run.id, err: error }, 'could not revoke the token of a run; it expires in minutes'),
        );
    },
  };
}
