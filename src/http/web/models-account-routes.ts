import type { KeyDeps } from '../../keys/model-settings.ts';
import {
  type AccountPlace,
  removeModelsAccount,
  saveModelsAccount,
  showModelsAccount,
} from '../../keys/models-account.ts';
import { web } from './implement-web.ts';

export function modelsAccountRoutes(deps: KeyDeps) {
  const place = (user: { id: string }, ws: string): AccountPlace => ({ userId: user.id, workspaceId: ws });
  const everywhere = (user: { id: string }, org: string): AccountPlace => ({
    userId: user.id,
    organizationId: org,
    workspaceId: 'global',
  });

  return {
    modelsAccount: {
      show: web.modelsAccount.show.handler(({ context, input }) =>
        showModelsAccount(deps, place(context.user, input.ws)),
      ),
      save: web.modelsAccount.save.handler(({ context, input: { ws, ...account } }) =>
        saveModelsAccount(deps, place(context.user, ws), account),
      ),
      remove: web.modelsAccount.remove.handler(({ context, input }) =>
        removeModelsAccount(deps, place(context.user, input.ws)),
      ),
      organization: {
        show: web.modelsAccount.organization.show.handler(({ context, input }) =>
          showModelsAccount(deps, everywhere(context.user, input.org)),
        ),
        save: web.modelsAccount.organization.save.handler(({ context, input: { org, ...account } }) =>
          saveModelsAccount(deps, everywhere(context.user, org), account),
        ),
        remove: web.modelsAccount.organization.remove.handler(({ context, input }) =>
          removeModelsAccount(deps, everywhere(context.user, input.org)),
        ),
      },
    },
  };
}
