// The webhook of the integration provider, from both sides: what the runtime accepts, and what the provider sends.
import { createHmac } from 'node:crypto';
import { runtimeUrl } from '../../../net/addresses.ts';
import { checkWebhook, WebhookSetupError } from '../../../nango/configure-webhook.ts';
import { callPart } from './call-part.ts';
import { reasonOf } from '../../../timing/database-fault.ts';
import { fault, type Finding, notice, ok, skipped } from './finding.ts';
import { INTEGRATION_VARIABLES } from './integration-checks.ts';
import type { Deployment } from './deployment.ts';

const WEBHOOK_PATH = '/connect/integrations/webhook';

/** The runtime's side: it accepts webhooks signed with the secret that is set here. The test body is one it ignores. */
export async function checkWebhookSecret({ config }: Deployment): Promise<Finding[]> {
  const { SERVICE_INTEGRATIONS_WEBHOOK_SECRET: secret, SERVICE_INTEGRATIONS_URL: provider } = config;
  if (secret === undefined || provider === 'off') return [];
  const body = JSON.stringify({ type: 'doctor' });
  const answer = await callPart(`${runtimeUrl(config)}${WEBHOOK_PATH}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-provider-hmac-sha256': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  });
  if (!answer.answered) return [skipped('the webhook of the runtime cannot be reached')];
  const why = 'A new connection is stored only when the webhook reports it.';
  if (answer.status === 401)
    return [
      fault(
        'the runtime was started with another SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
        why,
        'Start the api role again with the SERVICE_INTEGRATIONS_WEBHOOK_SECRET that is set here.',
      ),
    ];
  if (answer.status === 503)
    return [
      fault(
        'the runtime was started without the three variables of the integration provider',
        why,
        `Start the api role again with ${INTEGRATION_VARIABLES.join(', ')}.`,
      ),
    ];
  if (answer.status !== 200)
    return [fault(`the webhook of the runtime answers ${answer.status}`, why, 'Read the log of the api role.')];
  return [ok('the runtime accepts webhooks signed with the secret')];
}

/** The provider's side, in its database. */
export async function checkProviderWebhook({ config, publicUrl, stack }: Deployment): Promise<Finding[]> {
  const { SERVICE_INTEGRATIONS_DATABASE_URL: database, SERVICE_INTEGRATIONS_WEBHOOK_SECRET: secret } = config;
  const standsIn = stack?.parts['local-integrations'] !== undefined;
  if (secret === undefined || config.SERVICE_INTEGRATIONS_URL === 'off' || (standsIn && database === undefined))
    return [];
  if (database === undefined)
    return [
      notice(
        "the provider's webhook settings cannot be looked at: SERVICE_INTEGRATIONS_DATABASE_URL is not set",
        'Its API has no route for them.',
        `Check in its UI that the webhook is ${publicUrl}${WEBHOOK_PATH}, with HMAC on; or set the variable here and run: servicectl integrations webhook --check`,
      ),
    ];
  try {
    const wrong = (
      await checkWebhook(database, { url: `${publicUrl.replace(/\/+$/, '')}${WEBHOOK_PATH}`, secret })
    ).filter(({ ok: right }) => !right);
    if (standsIn)
      return [
        notice(
          "the provider's database can be read, and the local integration provider is used",
          'Its webhook is set up once SERVICE_INTEGRATIONS_URL names the provider.',
        ),
      ];
    if (wrong.length === 0) return [ok('the webhook of the provider is set up correctly')];
    return wrong.map(({ setting, expected, found }) =>
      fault(
        `at the provider ${setting} is ${found}, not ${expected}`,
        'New connections and failed refreshes are not reported to the service.',
        'Run: servicectl integrations webhook --apply',
      ),
    );
  } catch (error) {
    if (error instanceof WebhookSetupError)
      return [
        fault(
          error.message,
          'The webhook cannot be set up.',
          'Fix that, then run: servicectl integrations webhook --check',
        ),
      ];
    return [
      fault(
        `the provider's database cannot be read (${reasonOf(error)})`,
        'Read repair and the webhook set-up need it.',
        'Correct SERVICE_INTEGRATIONS_DATABASE_URL, and let its role read the schema nango.',
      ),
    ];
  }
}
