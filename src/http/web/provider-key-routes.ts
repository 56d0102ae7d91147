import { listProviderKeys } from '../../keys/list-provider-keys.ts';
import type { KeyDeps } from '../../keys/model-settings.ts';
import { removeProviderKey } from '../../keys/remove-provider-key.ts';
import { saveProviderKey } from '../../keys/save-provider-key.ts';
import { web } from './implement-web.ts';

const SAVED = { configured: true, message: 'Provider key saved successfully.' } as const;
const REMOVED = { configured: false, message: 'Provider key removed successfully.' } as const;

export function providerKeyRoutes(deps: KeyDeps) {
  return {
    providerKeys: {
      list: web.providerKeys.list.handler(async ({ context, input }) => ({
        providers: await listProviderKeys(deps, { userId: context.user.id, ...input }),
      })),
      save: web.providerKeys.save.handler(async ({ context, input: { provider, key, ...scope } }) => {
        const use = await saveProviderKey(deps, { userId: context.user.id, ...scope }, provider, key);
        return { ...SAVED, use };
      }),
      remove: web.providerKeys.remove.handler(async ({ context, input: { params, query } }) => {
        await removeProviderKey(deps, { userId: context.user.id, ...query }, params.provider);
        return REMOVED;
      }),
    },
  };
}
