import type { KeyDeps } from '../../keys/model-settings.ts';
import { removeModelsAccount, saveModelsAccount, showModelsAccount } from '../../keys/models-account.ts';
import { member } from './implement-web.ts';

export function modelsAccountRoutes(deps: KeyDeps) {
  return {
    modelsAccount: {
      show: member.modelsAccount.show.handler(({ context: { membership } }) => showModelsAccount(deps, membership)),
      save: member.modelsAccount.save.handler(({ context: { membership }, input: { ws: _ws, ...account } }) =>
        saveModelsAccount(deps, membership, account),
      ),
      remove: member.modelsAccount.remove.handler(({ context: { membership } }) =>
        removeModelsAccount(deps, membership),
      ),
      organization: {
        show: member.modelsAccount.organization.show.handler(({ context: { membership } }) =>
          showModelsAccount(deps, membership),
        ),
        save: member.modelsAccount.organization.save.handler(
          ({ context: { membership }, input: { org: _org, ...account } }) =>
            saveModelsAccount(deps, membership, account),
        ),
        remove: member.modelsAccount.organization.remove.handler(({ context: { membership } }) =>
          removeModelsAccount(deps, membership),
        ),
      },
    },
  };
}
