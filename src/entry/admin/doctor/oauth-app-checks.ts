// The OAuth apps that the operator registered: their callback, and their credentials in the environment.
import { loadConnectors } from '../../../catalog/load-connectors.ts';
import { expectedCallback } from '../../../connections/expected-callback.ts';
import { variablePrefix } from '../../../connections/reconcile-integrations.ts';
import { fault, type Finding, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';

export function checkCallback({ config, environment, publicUrl, exposed }: Deployment): Finding[] {
  const given = environment['SERVICE_OAUTH_CALLBACK_URL']?.trim();
  const callback = expectedCallback({
    callbackUrl: config.SERVICE_OAUTH_CALLBACK_URL,
    providerServerUrl: environment['NANGO_SERVER_URL']?.trim(),
    publicUrl,
  });
  if (!URL.canParse(callback))
    return [
      fault(
        'NANGO_SERVER_URL is not a URL',
        'The OAuth callback is derived from it.',
        'Set it to the public URL of the provider, or unset it.',
      ),
    ];
  const url = new URL(callback);
  const wished = `https://${url.hostname}/oauth/callback`;
  const why =
    'Apps compare the callback with the registered one character by character: https, no trailing slash, no port.';
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
  return findings.length > 0 ? findings : [ok(`the callback to register with apps is ${callback}`)];
}

/** Credentials of OAuth apps come in pairs, and each pair belongs to a connector. */
export function checkOAuthApps({ environment }: Deployment): Finding[] {
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
          'Name it after the connector’s id, in upper case with _ (docs/reference/connectors.md).',
        ),
      );
    else if (names.length === 1)
      findings.push(
        fault(
          `${prefix}_CLIENT_${names[0]?.endsWith('_ID') ? 'SECRET' : 'ID'} is not set`,
          'An OAuth app needs both its id and its secret; nothing is created at the provider without them.',
          'Set both, then run: servicectl integrations reconcile --apply',
        ),
      );
  }
  return findings.length > 0 ? findings : [ok(`${given.size} OAuth apps are configured`)];
}
