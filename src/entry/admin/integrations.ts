import { publicUrl } from '../../net/addresses.ts';
import { completeEnvironment, readConfig } from '../../base/config.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { expectedCallback } from '../../connections/expected-callback.ts';
import { type ReconciledIntegration, reconcileIntegrations } from '../../connections/reconcile-integrations.ts';
import { applyWebhook, checkWebhook, type WebhookSetting, WebhookSetupError } from '../../nango/configure-webhook.ts';
import { createNangoClient } from '../../nango/nango-client.ts';
import { createNangoDashboard, type NangoDashboard } from '../../nango/nango-dashboard.ts';
import { NangoError } from '../../nango/nango-error.ts';
import { OperatorError } from './operator-error.ts';

type Mode = 'check' | 'apply';

const WEBHOOK_PATH = '/connect/integrations/webhook';
/**
 * The provider's own variables, which the service ignores: the callback is derived from the first, the others open its
 * dashboard.
 */
const PROVIDER_SERVER_URL = 'NANGO_SERVER_URL';
const [DASHBOARD_USERNAME, DASHBOARD_PASSWORD] = ['NANGO_DASHBOARD_USERNAME', 'NANGO_DASHBOARD_PASSWORD'];

export interface Reconciliation {
  readonly ok: boolean;
  readonly oauthCallbackUrl: string;
  readonly integrations: readonly ReconciledIntegration[];
  /** Whether the account of the provider's dashboard was used, for the connectors that need it. */
  readonly dashboard: boolean;
  /** Why the provider could not be reached; the callback is known anyway. */
  readonly problem?: { readonly error: string; readonly next: string };
}

export async function reconcile(mode: Mode): Promise<Reconciliation> {
  const [config, environment] = [readConfig(), completeEnvironment()];
  const oauthCallbackUrl = expectedCallback({
    callbackUrl: config.SERVICE_OAUTH_CALLBACK_URL,
    providerServerUrl: environment[PROVIDER_SERVER_URL]?.trim(),
    publicUrl: publicUrl(config),
  });
  const unasked = (error: string, next: string): Reconciliation => ({
    ok: false,
    oauthCallbackUrl,
    integrations: [],
    dashboard: false,
    problem: { error, next },
  });
  const { SERVICE_INTEGRATIONS_URL: url, SERVICE_INTEGRATIONS_SECRET_KEY: secretKey } = config;
  if (url === undefined || url === 'off' || secretKey === undefined)
    return unasked(
      'the integration provider is not configured',
      'Set SERVICE_INTEGRATIONS_URL and SERVICE_INTEGRATIONS_SECRET_KEY.',
    );
  const client = createNangoClient({ url, secretKey });
  const dashboard = openDashboard(url, environment);
  try {
    const integrations = await reconcileIntegrations({ api: client, dashboard }, loadConnectors(), environment, mode);
    return {
      ok: integrations.every(({ ok }) => ok),
      oauthCallbackUrl,
      integrations,
      dashboard: dashboard !== undefined,
    };
  } catch (error) {
    if (!(error instanceof NangoError)) throw error;
    return unasked(
      error.message,
      error.status === 401
        ? 'SERVICE_INTEGRATIONS_SECRET_KEY is not the secret key of the prod environment.'
        : 'Check SERVICE_INTEGRATIONS_URL, and that the provider is running.',
    );
  } finally {
    await client.close();
    await dashboard?.close();
  }
}

function openDashboard(url: string, environment: ReturnType<typeof completeEnvironment>): NangoDashboard | undefined {
  const [username, password] = [environment[DASHBOARD_USERNAME]?.trim(), environment[DASHBOARD_PASSWORD]?.trim()];
  return username && password ? createNangoDashboard({ url, username, password }) : undefined;
}

export async function webhook(
  mode: Mode,
  environmentId: number | undefined,
): Promise<{ ok: boolean; settings: WebhookSetting[] }> {
  const config = readConfig();
  const { SERVICE_INTEGRATIONS_DATABASE_URL: database, SERVICE_INTEGRATIONS_WEBHOOK_SECRET: secret } = config;
  if (database === undefined)
    throw new OperatorError(
      'SERVICE_INTEGRATIONS_DATABASE_URL is not set',
      "Set it to the URL of the provider's database, with a role that may write its settings.",
    );
  if (secret === undefined)
    throw new OperatorError(
      'SERVICE_INTEGRATIONS_WEBHOOK_SECRET is not set',
      'Set it to the secret with which the service verifies signatures.',
    );
  const wanted = { url: `${publicUrl(config).replace(/\/+$/, '')}${WEBHOOK_PATH}`, secret, environmentId };
  try {
    const settings = await (mode === 'apply' ? applyWebhook : checkWebhook)(database, wanted);
    return { ok: settings.every(({ ok }) => ok), settings };
  } catch (error) {
    if (error instanceof WebhookSetupError) throw new OperatorError(error.message, 'Fix that, then run it again.');
    throw new OperatorError(
      `the provider's database answered: ${(error as Error).message}`,
      mode === 'apply'
        ? 'Nothing was changed. Check SERVICE_INTEGRATIONS_DATABASE_URL and the rights of its role.'
        : 'Check SERVICE_INTEGRATIONS_DATABASE_URL and the rights of its role.',
    );
  }
}
