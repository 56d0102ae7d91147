import { implement } from '@orpc/server';
import { runtimeContract } from '../../contract/contract.ts';
import { UNREACHABLE } from '../../contract/describe-confinement.ts';
import type { FindSandbox } from '../../runs/delivery/find-sandbox.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';

/** For people about to start a run. It does not reveal how many other runs there are. */
export function sandboxRouter(findSandbox: FindSandbox | undefined) {
  const route = implement(runtimeContract.sandbox).$context<{ caller: Caller }>();
  return route.router({
    show: route.show.handler(async () => {
      const health = await findSandbox?.();
      if (health === undefined)
        return {
          ok: false,
          reason: UNREACHABLE,
          fix: 'start the sandbox controller (npm start runs every part; alone: npm run sandbox), or correct SERVICE_SANDBOX_URL',
        };
      return health.ok
        ? { ok: true, driver: health.driver, limits: { ...health.limits } }
        : { ok: false, reason: health.reason, fix: health.fix };
    }),
  });
}
