// The integration provider, in the order of its bootstrap: the three variables, the key, the provider itself, its
// webhook, its callback, and what it must not be left with.
import { createHmac } from 'node:crypto';
import { runtimeUrl } from '../../../base/addresses.ts';
import { loadConnectors } from '../../../catalog/load-connectors.ts';
import { expectedCallback } from '../../../connections/expected-callback.ts';
import { variablePrefix } from '../../../connections/reconcile-integrations.ts';
import { checkWebhook, WebhookSetupError } from '../../../nango/configure-webhook.ts';
import { createNangoClient } from '../../../nango/nango-client.ts';
import { NangoError } from '../../../nango/nango-error.ts';
import { askPart } from '../../../stack/ask-part.ts';
import { reasonOf } from '../../../timing/database-fault.ts';
import { fault, type Finding, notice, ok, skipped, warning } from './finding.ts';
import { plain } from './part-checks.ts';
import type { Patient } from './patient.ts';

const THREE = [
  'SERVICE_INTEGRATIONS_URL',
  'SERVICE_INTEGRATIONS_SECRET_KEY',
  'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
] as const;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const WEBHOOK_PATH = '/connect/integrations/webhook';
const TAKE_KEY =
  "Take the secret key of the prod environment (UUID form, not the public key) from the provider's UI under /integrations, Environment Settings, API Keys; set SERVICE_INTEGRATIONS_SECRET_KEY and deploy again.";

export function checkThree({ config, refused }: Patient): Finding[] {
  if (config.SERVICE_INTEGRATIONS_URL === 'off')
    return [
      notice(
        'there is no integration provider: SERVICE_INTEGRATIONS_URL is off',
        'No app can be connected; imports work.',
      ),
    ];
  const missing = THREE.filter((name) => config[name] === undefined && !refused.has(name));
  if (missing.length === 0) return [ok('the three variables of the integration provider are set')];
  const why = 'Connect routes answer 503 integrations_not_configured until all three are set; everything else works.';
  if (missing.length === THREE.length)
    return [
      warning(
        'the integration provider is not configured',
        why,
        `Set ${THREE.join(', ')} (docs/operators/integrations.md, bootstrap order).`,
      ),
    ];
  return missing.map((name) =>
    fault(
      `${name} is not set`,
      why,
      name === 'SERVICE_INTEGRATIONS_SECRET_KEY'
        ? TAKE_KEY
        : name === 'SERVICE_INTEGRATIONS_URL'
          ? 'Set it to the address at which the service reaches the provider.'
          : 'Set it to the output of: openssl rand -hex 32; then run: servicectl integrations webhook --apply',
    ),
  );
}

export function checkSecretKey({ config }: Patient): Finding[] {
  const key = config.SERVICE_INTEGRATIONS_SECRET_KEY;
  if (key === undefined) return [];
  if (!UUID_V4.test(key))
    return [
      fault(
        'SERVICE_INTEGRATIONS_SECRET_KEY is not a UUID v4',
        "The provider does not take it. The likely mistakes: a placeholder was never replaced, or the provider's public key was taken for it.",
        TAKE_KEY,
      ),
    ];
  return [ok('SERVICE_INTEGRATIONS_SECRET_KEY has the form of a secret key')];
}

export async function checkProvider({ config, exposed, stack }: Patient): Promise<Finding[]> {
  const { SERVICE_INTEGRATIONS_URL: url, SERVICE_INTEGRATIONS_SECRET_KEY: secretKey } = config;
  if (url === undefined || url === 'off') return [];
  const health = await askPart(`${url}/health`);
  const why = 'Apps cannot be connected, and tools of connected ones cannot be called.';
  if (!health.answered)
    return [
      fault(
        `the integration provider cannot be reached at ${plain(url)}: ${health.reason}`,
        why,
        'Start the provider, or correct SERVICE_INTEGRATIONS_URL.',
      ),
    ];
  if (health.status !== 200)
    return [
      fault(
        `${plain(url)}/health answers ${health.status}, not as the integration provider does`,
        why,
        'Correct SERVICE_INTEGRATIONS_URL: it is the base URL of the provider’s API, without a path of the service.',
      ),
    ];
  if (stack?.parts['local-integrations'] && exposed)
    return [
      warning(
        'the local integration provider stands in',
        'It reaches no real app.',
        'Deploy the provider and set SERVICE_INTEGRATIONS_URL to it.',
      ),
    ];
  if (secretKey === undefined) return [ok('the integration provider answers')];
  const client = createNangoClient({ url, secretKey });
  try {
    const integrations = await client.listIntegrations();
    return [ok(`the integration provider accepts the secret key and has ${integrations.length} integrations`)];
  } catch (error) {
    if (!(error instanceof NangoError)) throw error;
    if (error.status === 401 || error.status === 403)
      return [
        fault(
          'the integration provider refuses SERVICE_INTEGRATIONS_SECRET_KEY',
          'It is the key of another environment or another provider, or its public key.',
          TAKE_KEY,
        ),
      ];
    return [
      fault(
        `the integration provider fails: ${error.message}`,
        why,
        'Read the log of the provider; it needs its own database.',
      ),
    ];
  } finally {
    await client.close();
  }
}

/** The runtime's side: it takes what is signed with the secret that is set here. The body is one it ignores. */
export async function checkWebhookSecret({ config }: Patient): Promise<Finding[]> {
  const { SERVICE_INTEGRATIONS_WEBHOOK_SECRET: secret, SERVICE_INTEGRATIONS_URL: provider } = config;
  if (secret === undefined || provider === 'off') return [];
  const body = JSON.stringify({ type: 'doctor' });
  const answer = await askPart(`${runtimeUrl(config)}${WEBHOOK_PATH}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-provider-hmac-sha256': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  });
  if (!answer.answered) return [skipped('the webhook of the runtime cannot be asked')];
  const why = 'A connection that somebody makes is stored only once the webhook has told so.';
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
        `Start the api role again with ${THREE.join(', ')}.`,
      ),
    ];
  if (answer.status !== 200)
    return [fault(`the webhook of the runtime answers ${answer.status}`, why, 'Read the log of the api role.')];
  return [ok('the runtime takes webhooks that are signed with the secret')];
}

/** The provider's side, in its database. */
export async function checkProviderWebhook({ config, publicUrl, stack }: Patient): Promise<Finding[]> {
  const { SERVICE_INTEGRATIONS_DATABASE_URL: database, SERVICE_INTEGRATIONS_WEBHOOK_SECRET: secret } = config;
  const standsIn = stack?.parts['local-integrations'] !== undefined;
  if (secret === undefined || config.SERVICE_INTEGRATIONS_URL === 'off' || (standsIn && database === undefined))
    return [];
  if (database === undefined)
    return [
      notice(
        "the provider's webhook settings cannot be looked at: SERVICE_INTEGRATIONS_DATABASE_URL is not set",
        'Its API has no route for them.',
        `See in its UI that the webhook is ${publicUrl}${WEBHOOK_PATH}, with HMAC on; or set the variable here and run: servicectl integrations webhook --check`,
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
    if (wrong.length === 0) return [ok('the webhook of the provider is set as the service needs it')];
    return wrong.map(({ setting, expected, found }) =>
      fault(
        `at the provider ${setting} is ${found}, not ${expected}`,
        'Connections that people make, and refreshes that fail, do not reach the service.',
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
        'Read repair and the set-up of the webhook need it.',
        'Correct SERVICE_INTEGRATIONS_DATABASE_URL, and let its role read the schema nango.',
      ),
    ];
  }
}

export function checkCallback({ config, environment, publicUrl, exposed }: Patient): Finding[] {
  const given = environment['SERVICE_OAUTH_CALLBACK_URL']?.trim();
  const callback = expectedCallback({
    callbackUrl: config.SERVICE_OAUTH_CALLBACK_URL,
    providerServerUrl: environment['NANGO_SERVER_URL']?.trim(),
    publicUrl,
  });
  if (!URL.canParse(callback))
    return [
      fault(
        'NANGO_SERVER_URL is no URL',
        'The OAuth callback follows from it.',
        'Set it to the public URL of the provider, or unset it.',
      ),
    ];
  const url = new URL(callback);
  const wished = `https://${url.hostname}/oauth/callback`;
  const why = 'Apps compare the callback with the registered one to the letter: https, no trailing slash, no port.';
  const findings: Finding[] = [];
  if (exposed && url.protocol !== 'https:')
    findings.push(
      fault(
        `the OAuth callback is not https: ${callback}`,
        why,
        `Set SERVICE_OAUTH_CALLBACK_URL=${wished} and register that with every app.`,
      ),
    );
  if (exposed && url.port !== '')
    findings.push(
      fault(
        `the OAuth callback has a port: ${callback}`,
        why,
        `Serve the origin on port 443, set SERVICE_OAUTH_CALLBACK_URL=${wished} and register that with every app.`,
      ),
    );
  if (given?.endsWith('/'))
    findings.push(
      warning('SERVICE_OAUTH_CALLBACK_URL ends with a slash', why, `Set SERVICE_OAUTH_CALLBACK_URL=${wished}`),
    );
  return findings.length > 0 ? findings : [ok(`apps are to be registered with the callback ${callback}`)];
}

/** Credentials of OAuth apps come in pairs, under names that a connector has. */
export function checkOAuthApps({ environment }: Patient): Finding[] {
  const prefixes = new Set(loadConnectors().connectors.map(({ id }) => variablePrefix(id)));
  const given = Map.groupBy(
    Object.keys(environment).filter(
      (name) => /^SERVICE_OAUTH_.+_CLIENT_(?:ID|SECRET)$/.test(name) && (environment[name] ?? '').trim() !== '',
    ),
    (name) => name.replace(/_CLIENT_(?:ID|SECRET)$/, ''),
  );
  const findings: Finding[] = [];
  for (const [prefix, names] of given) {
    if (!prefixes.has(prefix))
      findings.push(
        warning(
          `${names.join(', ')}: no connector reads it`,
          'The app is not offered.',
          'Name it after the connector’s id, in capitals with _ (docs/reference/connectors.md).',
        ),
      );
    else if (names.length === 1)
      findings.push(
        fault(
          `${prefix}_CLIENT_${names[0]?.endsWith('_ID') ? 'SECRET' : 'ID'} is not set`,
          'An OAuth app is its id and its secret; with one of them nothing is created at the provider.',
          'Set both, then run: servicectl integrations reconcile --apply',
        ),
      );
  }
  return findings.length > 0 ? findings : [ok(`${given.size} OAuth apps are configured`)];
}

/** What the provider ships with, where it can be seen from here: its own variables, and its dashboard. */
export async function checkProviderDefaults({ config, environment, exposed }: Patient): Promise<Finding[]> {
  const level = exposed ? fault : warning;
  const findings: Finding[] = [];
  const [key, user, password] = ['NANGO_ENCRYPTION_KEY', 'NANGO_DASHBOARD_USERNAME', 'NANGO_DASHBOARD_PASSWORD'].map(
    (name) => environment[name]?.trim() || undefined,
  );
  if (key !== undefined && Buffer.from(key, 'base64').length !== 32)
    findings.push(
      fault(
        'NANGO_ENCRYPTION_KEY does not decode to 32 bytes',
        'The provider does not start, or keeps credentials in the clear.',
        'Before it holds anything, set it to the output of: openssl rand -base64 32. It cannot be changed later.',
      ),
    );
  if (key !== undefined && isLowEntropy(key))
    findings.push(
      level(
        'NANGO_ENCRYPTION_KEY is a default or typed key',
        'Every credential that the provider holds is encrypted with it, and everybody knows it.',
        'Before the provider is reachable from elsewhere, set it to the output of: openssl rand -base64 32, with an empty database of the provider.',
      ),
    );
  if (
    password !== undefined &&
    (password.length < 12 || password === user || /^(?:admin|nango|password|changeme|secret)/i.test(password))
  )
    findings.push(
      level(
        'NANGO_DASHBOARD_PASSWORD is a default or short password',
        'Its dashboard shows the secret key, and every connection.',
        'Set NANGO_DASHBOARD_USERNAME and NANGO_DASHBOARD_PASSWORD (openssl rand -base64 24) and start the provider again.',
      ),
    );
  const { SERVICE_INTEGRATIONS_URL: url } = config;
  if (url !== undefined && url !== 'off') {
    const dashboard = await askPart(`${url}/api/v1/meta`, { headers: { accept: 'application/json' } });
    if (dashboard.answered && dashboard.status === 200 && /json/.test(dashboard.headers.get('content-type') ?? ''))
      findings.push(
        level(
          "the provider's dashboard is open without a sign-in",
          'It shows the secret key, and every connection; the gateway serves it under /integrations.',
          'Set NANGO_DASHBOARD_USERNAME and NANGO_DASHBOARD_PASSWORD at the provider and start it again.',
        ),
      );
  }
  return findings.length > 0 ? findings : [ok('nothing that the provider ships with was seen')];
}

/** A key with few different bytes, or text that reads like words, was not made by a machine. */
function isLowEntropy(key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return new Set(bytes).size <= 8 || [...bytes].every((byte) => byte >= 0x20 && byte < 0x7f);
}
