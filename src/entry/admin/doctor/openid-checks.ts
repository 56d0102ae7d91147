// Sign-in through the OpenID provider: that its variables belong together, that it answers as the issuer it is said to be,
// that its clock is ours, and that the table of groups names what there is.
import { ConfigError } from '../../../base/config.ts';
import { createBoundedFetch } from '../../../identity/openid/bounded-fetch.ts';
import { type OpenIdSettings, readOpenIdSettings } from '../../../identity/openid/openid-settings.ts';
import { findAppError, readProvider } from '../../../identity/openid/provider.ts';
import { findMissingPlaces } from '../../../tenancy/members/find-missing-places.ts';
import type { Deployment } from './deployment.ts';
import { fault, type Finding, notice, ok, warning } from './finding.ts';

const SKEW_SECONDS = 30;

/** In the environment of another role the secret is missing, which is no fault there. */
function read({ config, isWithheld }: Deployment): OpenIdSettings | undefined {
  return readOpenIdSettings(
    config.SERVICE_OIDC_ISSUER !== undefined && isWithheld('SERVICE_OIDC_CLIENT_SECRET')
      ? { ...config, SERVICE_OIDC_CLIENT_SECRET: 'withheld' }
      : config,
  );
}

export function checkOpenIdVariables(deployment: Deployment): Finding[] {
  try {
    const settings = read(deployment);
    if (!settings) return [ok('no OpenID provider is configured')];
    const findings = [ok(`people sign in through ${settings.issuer}`)];
    if (settings.only && settings.breakGlass === undefined)
      findings.push(
        warning(
          'no one can sign in while the OpenID provider is down',
          'SERVICE_OIDC_ONLY is on, and there is no account that may use its password.',
          'Set SERVICE_OIDC_BREAK_GLASS to the address of an owner.',
        ),
      );
    return findings;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [fault(error.message, 'The web server does not start.', 'Correct the variable.')];
  }
}

export async function checkOpenIdProvider(deployment: Deployment): Promise<Finding[]> {
  const settings = read(deployment);
  if (!settings) return [];
  const calls = createBoundedFetch();
  let date: string | null = null;
  try {
    await readProvider(settings, async (url, options) => {
      const answer = await calls.fetch(url, options);
      date = answer.headers.get('date');
      return answer;
    });
  } catch (error) {
    return [
      findAppError(error)?.code === 'openid_unavailable'
        ? fault(
            `the OpenID provider does not answer at ${settings.issuer}`,
            'No one can sign in through it.',
            'Check the address, and that this machine can reach it.',
          )
        : fault(
            `what answers at ${settings.issuer} is not the discovery document of that issuer`,
            'No one can sign in through it.',
            'Set SERVICE_OIDC_ISSUER to exactly the value of `issuer` in its discovery document.',
          ),
    ];
  } finally {
    await calls.close();
  }
  return [
    ok('the OpenID provider answers as the issuer that is configured'),
    notice(
      `the redirect address is ${deployment.publicUrl}/api/auth/openid/callback`,
      'The provider has to know it.',
      `Register it there; the address after signing out is ${deployment.publicUrl}/sign-in, for back-channel logout ${deployment.publicUrl}/api/auth/openid/logout.`,
    ),
    ...checkDate(date),
  ];
}

function checkDate(date: string | null): Finding[] {
  const there = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(there)) return [];
  const seconds = Math.round(Math.abs(Date.now() - there) / 1000);
  if (seconds <= SKEW_SECONDS) return [ok('the clocks of this machine and of the OpenID provider agree')];
  return [
    fault(
      `the clock of this machine and that of the OpenID provider are ${seconds} s apart`,
      'Tokens of the provider are refused as expired or not yet valid.',
      'Let both follow a time server (timedatectl set-ntp true).',
    ),
  ];
}

export async function checkOpenIdGroups(deployment: Deployment): Promise<Finding[]> {
  const groups = read(deployment)?.groups;
  if (!groups) return [];
  const places = groups.rows.map(({ organization, workspaces }) => ({
    organization,
    workspaces: workspaces.map(({ workspace }) => workspace),
  }));
  const missing = await findMissingPlaces(await deployment.storage(), places);
  if (missing.length === 0) return [ok('every organization and workspace of the table of groups exists')];
  return [
    warning(
      `the table of groups names what does not exist: ${missing.slice(0, 10).join(', ')}`,
      'Nobody gets a membership there.',
      'Correct SERVICE_OIDC_GROUPS, or create them: it takes their short names, as in addresses.',
    ),
  ];
}
