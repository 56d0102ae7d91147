import { listModels } from '../../chat/list-models.ts';
import type { KeyDeps } from '../../keys/model-settings.ts';
import { member } from './implement-web.ts';

export function modelRoutes(deps: KeyDeps) {
  return {
    models: {
      list: member.models.list.handler(({ context: { membership }, input: { workspace, modality } }) =>
        listModels(deps.db, deps, { ...membership, workspace, modality }),
      ),
    },
  };
}
