// The provider's webhook. Its signature over the raw body is its only authentication, and it is checked before
// anything of the body is looked at.
import type { Hono } from 'hono';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import { handleWebhook } from '../../connections/handle-webhook.ts';
import { isSigned } from '../../connections/webhook-signature.ts';
import { requireIntegrations } from '../../nango/nango-settings.ts';
import { isTextFault, parseJson } from '../parse-json.ts';
import { readBytes } from '../read-body.ts';

const BODY_LIMIT_BYTES = 256 * 1024;
const NO_STORE = { 'cache-control': 'no-store' };

export function mountIntegrationWebhook(app: Hono, deps: ConnectionDeps): void {
  app.post('/connect/integrations/webhook', async (c) => {
    const { settings } = requireIntegrations(deps.integrations);
    const raw = await readBytes(c.req.raw, BODY_LIMIT_BYTES);
    if (!isSigned(settings.webhookSecret, raw, c.req.raw.headers)) return c.json({ ok: false, error: 'invalid integration webhook signature' }, 401, NO_STORE);
    return c.json(await handleWebhook(deps, parse(raw)), 200, NO_STORE);
  });
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
