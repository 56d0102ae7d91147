// The integration provider's webhook. The signature of the raw body is its only authentication, and it is checked
// before the body is parsed.
import type { Context } from 'hono';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import { handleWebhook } from '../../connections/handle-webhook.ts';
import { isSigned } from '../../connections/webhook-signature.ts';
import { requireIntegrations } from '../../nango/nango-settings.ts';
import { isTextFault, parseJson } from '../../base/parse-json.ts';
import { type PlainRoutes, anonymousSender } from '../shell/plain-routes.ts';

const NO_STORE = { 'cache-control': 'no-store' };

export function mountIntegrationWebhook(routes: PlainRoutes, deps: ConnectionDeps): void {
  const handle = async (c: Context, _sender: unknown, raw: Buffer): Promise<Response> => {
    const { settings } = requireIntegrations(deps.integrations);
    if (!isSigned(settings.webhookSecret, raw, c.req.raw.headers))
      return c.json({ ok: false, error: 'invalid integration webhook signature' }, 401, NO_STORE);
    return c.json(await handleWebhook(deps, parse(raw)), 200, NO_STORE);
  };
  // The sender is known only once the body's signature is checked; until then it counts as a stranger.
  routes.on({
    method: 'POST',
    path: '/connect/integrations/webhook',
    cost: 'database',
    body: 'webhook',
    identify: anonymousSender,
    handle,
  });
}

/** Anything that is not JSON is acknowledged and ignored. Text that cannot be stored is refused. */
function parse(raw: Uint8Array): unknown {
  try {
    return parseJson(raw);
  } catch (error) {
    if (isTextFault(error)) throw error;
    return undefined;
  }
}
