import { listModels } from '../../chat/list-models.ts';
import type { KeyDeps } from '../../keys/model-settings.ts';
import { web } from './implement-web.ts';

export function modelRoutes(deps: KeyDeps) {
  return {
    models: {
      list: web.models.list.handler(({ context, input }) =>
        listModels(deps.db, deps, { userId: context.user.id, ...input }),
      ),
    },
  };
}
