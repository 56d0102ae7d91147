import type { KeyDeps } from '../../keys/model-settings.ts';
import { removeModelsAccount, saveModelsAccount, showModelsAccount } from '../../keys/models-account.ts';
import { web } from './implement-web.ts';

export function modelsAccountRoutes(deps: KeyDeps) {
  const place = (user: { id: string }, ws: string): { userId: string; workspaceId: string } => ({ userId: user.id, workspaceId: ws });

  return {
    modelsAccount: {
      show: web.modelsAccount.show.handler(({ context, input }) => showModelsAccount(deps, place(context.user, input.ws))),
      save: web.modelsAccount.save.handler(({ context, input: { ws, ...account } }) => saveModelsAccount(deps, place(context.user, ws), account)),
      remove: web.modelsAccount.remove.handler(({ context, input }) => removeModelsAccount(deps, place(context.user, input.ws))),
    },
  };
}
