// The provider's webhook. Its signature over the raw body is its only authentication, and it is checked before
// anything of the body is looked at.
import type { Context } from 'hono';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import { handleWebhook } from '../../connections/handle-webhook.ts';
import { isSigned } from '../../connections/webhook-signature.ts';
import { requireIntegrations } from '../../nango/nango-settings.ts';
import { isTextFault, parseJson } from '../shell/parse-json.ts';
import { type PlainRoutes, strangerOf } from '../shell/plain-routes.ts';
import { readBytes } from '../shell/read-body.ts';

const BODY_LIMIT_BYTES = 256 * 1024;
const NO_STORE = { 'cache-control': 'no-store' };

export function mountIntegrationWebhook(routes: PlainRoutes, deps: ConnectionDeps): void {
  const handle = async (c: Context): Promise<Response> => {
    const { settings } = requireIntegrations(deps.integrations);
    const raw = await readBytes(c.req.raw, BODY_LIMIT_BYTES);
    if (!isSigned(settings.webhookSecret, raw, c.req.raw.headers))
      return c.json({ ok: false, error: 'invalid integration webhook signature' }, 401, NO_STORE);
    return c.json(await handleWebhook(deps, parse(raw)), 200, NO_STORE);
  };
  // Who signed shows only in the body: until then it is a stranger.
  routes.on({ method: 'POST', path: '/connect/integrations/webhook', cost: 'database', identify: strangerOf, handle });
}

/** What is not JSON is one of the shapes that are acknowledged and ignored. Text that could not be stored is refused. */
function parse(raw: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(raw));
  } catch (error) {
    if (isTextFault(error)) throw error;
    return undefined;
  }
}
