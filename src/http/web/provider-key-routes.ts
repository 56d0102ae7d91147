import { listProviderKeys } from '../../keys/list-provider-keys.ts';
import type { KeyDeps } from '../../keys/model-settings.ts';
import { removeProviderKey, saveProviderKey } from '../../keys/write-provider-keys.ts';
import { getMembership, member, web } from './implement-web.ts';

const SAVED = { configured: true, message: 'Provider key saved successfully.' } as const;
const REMOVED = { configured: false, message: 'Provider key removed successfully.' } as const;

export function providerKeyRoutes(deps: KeyDeps) {
  return {
    providerKeys: {
      list: member.providerKeys.list.handler(async ({ context: { membership } }) => ({
        providers: await listProviderKeys(deps, membership),
      })),
      save: web.providerKeys.save.handler(async ({ context, input: { provider, key } }) => {
        const use = await saveProviderKey(deps, getMembership(context), provider, key);
        return { ...SAVED, use };
      }),
      remove: member.providerKeys.remove.handler(async ({ context: { membership }, input: { params } }) => {
        await removeProviderKey(deps, membership, params.provider);
        return REMOVED;
      }),
    },
  };
}
