import { readFile } from 'node:fs/promises';
import type { Config } from '../../../base/config.ts';
import { checkBundle } from '../../../base/secrets-bundle.ts';
import { ENVIRONMENT } from '../../../base/environment.ts';
import { fault, type Finding, notice, ok, skipped, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';

const SHORTEST_SECRET = 32;
const SHORTEST_TOKEN = 16;
const MAKE_SECRET = 'openssl rand -base64 32';

export function checkAuthSecret({ config }: Deployment): Finding[] {
  const { AUTH_SECRET: secret } = config;
  if (secret === undefined)
    return [
      fault(
        'AUTH_SECRET is not set',
        'The web server signs sessions with it and does not start without it.',
        `Set AUTH_SECRET to the output of: ${MAKE_SECRET}`,
      ),
    ];
  if (secret.length < SHORTEST_SECRET)
    return [
      warning(
        `AUTH_SECRET has ${secret.length} characters`,
        'A short secret can be guessed from one session cookie, offline.',
        `Set AUTH_SECRET to the output of: ${MAKE_SECRET}. Everyone has to sign in again.`,
      ),
    ];
  return [ok('AUTH_SECRET is set')];
}

export function checkConnectSecret({ config }: Deployment): Finding[] {
  const { SERVICE_CONNECT_JWT_SECRET: own, AUTH_SECRET: fallback, SERVICE_DEBUG_JWT_SECRET: debug } = config;
  const secret = own ?? fallback;
  if (secret === undefined)
    return [
      fault(
        'there is no secret for connect tokens',
        'No token is accepted: not by /v1, /connect or /runtime.',
        `Set SERVICE_CONNECT_JWT_SECRET to the output of: ${MAKE_SECRET} (or AUTH_SECRET, which is used if it is not set).`,
      ),
    ];
  const findings: Finding[] = [];
  if (own !== undefined && own.length < SHORTEST_SECRET)
    findings.push(
      warning(
        `SERVICE_CONNECT_JWT_SECRET has ${own.length} characters`,
        'A short HS256 secret can be guessed from one token, offline; with it, anyone can sign tokens for any user.',
        `Set it to the output of: ${MAKE_SECRET}. Existing tokens stop working.`,
      ),
    );
  if (debug === secret)
    findings.push(
      warning(
        'SERVICE_DEBUG_JWT_SECRET is also the secret of connect tokens',
        'Anyone who can sign one kind of token can sign the other.',
        `Set SERVICE_DEBUG_JWT_SECRET to its own output of: ${MAKE_SECRET}`,
      ),
    );
  return findings.length > 0
    ? findings
    : [ok(own === undefined ? 'connect tokens are signed with AUTH_SECRET' : 'connect tokens have their own secret')];
}

export function checkWrappingKeys({ config, refused, isWithheld }: Deployment): Finding[] {
  const rows = [
    { name: 'BYOK_ENCRYPTION_KEY_B64', does: 'No provider key can be saved or used.' },
    {
      name: 'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
      does: 'No app can be connected or used, and no response can be stored for later reference.',
    },
  ] as const;
  const findings: Finding[] = [];
  for (const { name, does } of rows.filter((row) => !isWithheld(row.name))) {
    const key = config[name];
    if (key === undefined)
      findings.push(
        refused.has(name)
          ? skipped(`${name} cannot be read`)
          : fault(
              `${name} is not set`,
              does,
              `Set ${name} to the output of: openssl rand -base64 32. Keep a copy: data stored under it cannot be decrypted without it.`,
            ),
      );
    else if (new Set(key).size === 1)
      findings.push(
        fault(
          `${name} is one byte repeated`,
          'It was not generated: anyone can guess it and decrypt a copy of the database.',
          `If nothing is stored yet, set it to the output of: openssl rand -base64 32. Otherwise ${name === 'BYOK_ENCRYPTION_KEY_B64' ? 'move the stored keys with: servicectl keys rewrap --from-env' : 'have every app connected again after that'}.`,
        ),
      );
  }
  const [byok, connection] = [config.BYOK_ENCRYPTION_KEY_B64, config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64];
  if (byok && connection?.equals(byok))
    findings.push(
      warning(
        'both encryption keys are the same',
        'One leaked key would open both provider keys and connections.',
        'Give BYOK_ENCRYPTION_KEY_B64 a new value and move the stored keys with: servicectl keys rewrap --from-env',
      ),
    );
  return findings.length > 0 ? findings : [ok('the encryption keys decode to 32 bytes')];
}

/** The rule of the bundle loader, for what is set here: a placeholder must not reach production. */
export function checkPlaceholders({ environment, config }: Deployment): Finding[] {
  const own = Object.entries(environment).filter(
    ([name, value]) =>
      (name in ENVIRONMENT || name.startsWith('NANGO_')) && (value ?? '').trim() !== '' && !/[\r\n]/.test(value ?? ''),
  );
  const placeholders = checkBundle(own.map(([name, value]) => `${name}=${value ?? ''}`).join('\n'), {
    allowPlaceholders: false,
  }).placeholders.filter((name) => isMissed(name, config));
  if (placeholders.length === 0) return [ok('no value is a placeholder')];
  return placeholders.map((name) =>
    name === 'SERVICE_INTEGRATIONS_SECRET_KEY'
      ? warning(
          `${name} is still the placeholder`,
          'Everything comes up, but no app can be connected until it is replaced (steps 2 and 3 of the bootstrap).',
          "Take the secret key of the prod environment from the provider's UI under /integrations/, Environment Settings, API Keys; put it into the bundle and deploy again.",
        )
      : fault(
          `${name} is still a placeholder`,
          'Placeholders are public.',
          `Replace it${name.endsWith('_B64') || name === 'NANGO_ENCRYPTION_KEY' ? ' with the output of: openssl rand -base64 32' : ''}, then check with: servicectl bundle check`,
        ),
  );
}

export function checkDebugAccess({ config, exposed }: Deployment): Finding[] {
  const { SERVICE_DEBUG_TOKEN: token, SERVICE_DEBUG_JWT_SECRET: secret } = config;
  if (token === undefined && secret === undefined)
    return [
      notice(
        'diagnostics are off',
        '/service-debug answers 503 until they are on.',
        'To use them, set SERVICE_DEBUG_TOKEN to the output of: openssl rand -hex 32',
      ),
    ];
  const findings: Finding[] = [];
  if (token !== undefined && !/^[\x20-\x7E]+$/.test(token))
    findings.push(
      fault(
        'SERVICE_DEBUG_TOKEN contains characters that are not allowed in a header',
        'No client can send it.',
        'Set it to plain letters and digits, for example the output of: openssl rand -hex 32',
      ),
    );
  else if (token !== undefined && token.length < SHORTEST_TOKEN && exposed)
    findings.push(
      warning(
        `SERVICE_DEBUG_TOKEN has ${token.length} characters`,
        'Anyone who guesses it can open the diagnostics on the public origin.',
        'Set it to the output of: openssl rand -hex 32',
      ),
    );
  if (secret !== undefined && secret.length < SHORTEST_SECRET && exposed)
    findings.push(
      warning(
        `SERVICE_DEBUG_JWT_SECRET has ${secret.length} characters`,
        'It can be guessed from one token, offline.',
        `Set it to the output of: ${MAKE_SECRET}`,
      ),
    );
  return findings.length > 0 ? findings : [ok('diagnostics are on, and protected')];
}

export async function checkBundleGiven({ bundle, exposed, config }: Deployment): Promise<Finding[]> {
  if (bundle === undefined) return [];
  const text = await readFile(bundle, 'utf8').catch(() => undefined);
  if (text === undefined)
    return [
      fault(
        `${bundle} cannot be read`,
        'It was given with --bundle.',
        'Give the secrets bundle of the deployment, or create one with: servicectl bundle init',
      ),
    ];
  const { faults, placeholders: found } = checkBundle(text, { allowPlaceholders: !exposed });
  const placeholders = found.filter((name) => isMissed(name, config));
  if (faults.length === 0 && placeholders.length === 0) return [ok(`${bundle} can be uploaded`)];
  return [
    ...faults.map((sentence) =>
      fault(
        `${bundle} is refused: ${sentence}`,
        'The bundle loader rejects it before upload.',
        `Fix the line, then run: servicectl bundle check ${bundle}`,
      ),
    ),
    ...placeholders.map((name) =>
      (exposed ? fault : warning)(
        `${bundle} still has the placeholder of ${name}`,
        'It blocks a production release.',
        `Replace ${name}, then run: servicectl bundle check ${bundle}`,
      ),
    ),
  ];
}

/** Whether the value of a placeholder is needed: without an integration provider its key is not. */
function isMissed(name: string, { SERVICE_INTEGRATIONS_URL: url }: Config): boolean {
  return name !== 'SERVICE_INTEGRATIONS_SECRET_KEY' || url !== 'off';
}
