// The integration provider, in the order of its bootstrap: the three variables, the key, the provider itself and its
// insecure defaults. Its webhook and the OAuth apps have their own files.
import { createNangoClient } from '../../../nango/nango-client.ts';
import { NangoError } from '../../../nango/nango-error.ts';
import { callPart } from './call-part.ts';
import { fault, type Finding, notice, ok, warning } from './finding.ts';
import { plain } from './part-checks.ts';
import type { Deployment } from './deployment.ts';

export const INTEGRATION_VARIABLES = [
  'SERVICE_INTEGRATIONS_URL',
  'SERVICE_INTEGRATIONS_SECRET_KEY',
  'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
] as const;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const TAKE_KEY =
  "Take the secret key of the prod environment (UUID form, not the public key) from the provider's UI, Environment Settings, API Keys (/integrations/prod/environment-settings#api-keys); set SERVICE_INTEGRATIONS_SECRET_KEY and deploy again.";

export function checkIntegrationVariables({ config, refused }: Deployment): Finding[] {
  if (config.SERVICE_INTEGRATIONS_URL === 'off')
    return [
      notice(
        'there is no integration provider: SERVICE_INTEGRATIONS_URL is off',
        'No app can be connected; imports work.',
      ),
    ];
  const missing = INTEGRATION_VARIABLES.filter((name) => config[name] === undefined && !refused.has(name));
  if (missing.length === 0) return [ok('the three variables of the integration provider are set')];
  const why = 'Connect routes answer 503 integrations_not_configured until all three are set; everything else works.';
  if (missing.length === INTEGRATION_VARIABLES.length)
    return [
      warning(
        'the integration provider is not configured',
        why,
        `Set ${INTEGRATION_VARIABLES.join(', ')} (docs/operators/integrations.md, bootstrap order).`,
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

export function checkSecretKey({ config }: Deployment): Finding[] {
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

export async function checkProvider({ config, exposed, stack }: Deployment): Promise<Finding[]> {
  const { SERVICE_INTEGRATIONS_URL: url, SERVICE_INTEGRATIONS_SECRET_KEY: secretKey } = config;
  if (url === undefined || url === 'off') return [];
  const health = await callPart(`${url}/health`);
  const why = 'Apps cannot be connected, and tools of connected apps cannot be called.';
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
        `${plain(url)}/health answers ${health.status}, unlike the integration provider`,
        why,
        'Correct SERVICE_INTEGRATIONS_URL: it is the base URL of the provider’s API, without a path.',
      ),
    ];
  if (stack?.parts['local-integrations'] && exposed)
    return [
      warning(
        'the local integration provider is in use',
        'It does not reach real apps.',
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
          'It is the key of another environment or provider, or the public key.',
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

/** Defaults that the provider ships with, as far as they are visible here: its own variables, and its dashboard. */
export async function checkProviderDefaults({ config, environment, exposed }: Deployment): Promise<Finding[]> {
  const level = exposed ? fault : warning;
  const findings: Finding[] = [];
  const [key, user, password] = ['NANGO_ENCRYPTION_KEY', 'NANGO_DASHBOARD_USERNAME', 'NANGO_DASHBOARD_PASSWORD'].map(
    (name) => environment[name]?.trim() || undefined,
  );
  if (key !== undefined && Buffer.from(key, 'base64').length !== 32)
    findings.push(
      fault(
        'NANGO_ENCRYPTION_KEY does not decode to 32 bytes',
        'The provider does not start, or stores credentials unencrypted.',
        'Before it stores anything, set it to the output of: openssl rand -base64 32. It cannot be changed later.',
      ),
    );
  if (key !== undefined && isLowEntropy(key))
    findings.push(
      level(
        'NANGO_ENCRYPTION_KEY is a default or typed key',
        'Every credential in the provider is encrypted with it, and anyone can guess it.',
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
        'The dashboard shows the secret key, and every connection.',
        'Set NANGO_DASHBOARD_USERNAME and NANGO_DASHBOARD_PASSWORD (openssl rand -base64 24) and start the provider again.',
      ),
    );
  const { SERVICE_INTEGRATIONS_URL: url } = config;
  if (url !== undefined && url !== 'off') {
    const dashboard = await callPart(`${url}/api/v1/meta`, { headers: { accept: 'application/json' } });
    if (dashboard.answered && dashboard.status === 200 && /json/.test(dashboard.headers.get('content-type') ?? ''))
      findings.push(
        level(
          "the provider's dashboard is open without a sign-in",
          'It shows the secret key, and every connection; the gateway serves it under /integrations/.',
          'Set NANGO_DASHBOARD_USERNAME and NANGO_DASHBOARD_PASSWORD at the provider and start it again.',
        ),
      );
  }
  return findings.length > 0 ? findings : [ok('the provider has no insecure defaults that are visible from here')];
}

/** A key with few different bytes, or of readable text, was not generated. */
function isLowEntropy(key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return new Set(bytes).size <= 8 || [...bytes].every((byte) => byte >= 0x20 && byte < 0x7f);
}
