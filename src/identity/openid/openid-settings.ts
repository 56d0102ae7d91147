// Sign-in through the deployment's OpenID provider, as the environment describes it. A set of variables that is only half
// there stops the process: it would leave people without the sign-in that their operator believes they have.
import { type Config, ConfigError } from '../../base/config.ts';
import { parseDomains } from '../../base/domains.ts';
import { type GroupsTable, readGroupsTable } from './groups-table.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people call the provider. */
  readonly name: string;
  /** Undefined: every domain. */
  readonly allowedDomains: readonly string[] | undefined;
  readonly only: boolean;
  /** May sign in by password even with `only`. */
  readonly breakGlass: string | undefined;
  readonly verifiedClaim: string;
  readonly groups: GroupsTable | undefined;
  /** Whether the provider may be reached over plain http. */
  readonly insecure: boolean;
}

/** With one of these, anyone can have an account. */
const OPEN_TO_ALL = [/^https:\/\/accounts\.google\.com\/?$/, /9188040d-6c67-4c5b-b112-36a304b66dad/];
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const COMPANIONS = [
  'SERVICE_OIDC_CLIENT_ID',
  'SERVICE_OIDC_CLIENT_SECRET',
  'SERVICE_OIDC_NAME',
  'SERVICE_OIDC_ALLOWED_DOMAINS',
  'SERVICE_OIDC_ONLY',
  'SERVICE_OIDC_BREAK_GLASS',
  'SERVICE_OIDC_GROUPS',
] as const satisfies readonly (keyof Config)[];

/** Undefined if no provider is configured. Throws `ConfigError`. */
export function readOpenIdSettings(config: Config): OpenIdSettings | undefined {
  const issuer = config.SERVICE_OIDC_ISSUER;
  if (issuer === undefined) {
    const given = COMPANIONS.find((name) => config[name] !== undefined && config[name] !== false);
    if (given) throw new ConfigError(`${given} is set, but SERVICE_OIDC_ISSUER is not: set both or neither.`);
    return undefined;
  }
  const [clientId, clientSecret] = [config.SERVICE_OIDC_CLIENT_ID, config.SERVICE_OIDC_CLIENT_SECRET];
  if (clientId === undefined || clientSecret === undefined) {
    const missing = clientId === undefined ? 'SERVICE_OIDC_CLIENT_ID' : 'SERVICE_OIDC_CLIENT_SECRET';
    throw new ConfigError(`SERVICE_OIDC_ISSUER is set, but ${missing} is not: take it from the provider.`);
  }
  const file = config.SERVICE_OIDC_GROUPS;
  const domains = config.SERVICE_OIDC_ALLOWED_DOMAINS;
  if (domains === undefined && OPEN_TO_ALL.some((pattern) => pattern.test(issuer)))
    throw new ConfigError(
      'SERVICE_OIDC_ALLOWED_DOMAINS is not set, and anyone can have an account with this provider: name the domains of your addresses.',
    );
  return {
    issuer,
    clientId,
    clientSecret,
    name: config.SERVICE_OIDC_NAME ?? new URL(issuer).host,
    allowedDomains: domains === undefined ? undefined : parseDomains(domains),
    only: config.SERVICE_OIDC_ONLY,
    breakGlass: config.SERVICE_OIDC_BREAK_GLASS,
    verifiedClaim: config.SERVICE_OIDC_VERIFIED_CLAIM,
    groups: file === undefined ? undefined : readGroupsTable(file),
    insecure: mayBeInsecure(issuer, config.SERVICE_ALLOW_PRIVATE_URLS),
  };
}

function mayBeInsecure(issuer: string, allowPrivateUrls: boolean): boolean {
  const { protocol, hostname, search, hash, username } = new URL(issuer);
  if (search !== '' || hash !== '' || username !== '')
    throw new ConfigError('SERVICE_OIDC_ISSUER takes a URL without query, fragment and credentials.');
  if (protocol === 'https:') return false;
  if (!allowPrivateUrls && !LOOPBACK.test(hostname))
    throw new ConfigError(
      'SERVICE_OIDC_ISSUER takes an https URL: http is for a loopback address, or with SERVICE_ALLOW_PRIVATE_URLS.',
    );
  return true;
}

/** Whether an account may sign in or sign up by password. */
export function acceptsPassword(
  openid: Pick<OpenIdSettings, 'only' | 'breakGlass'> | undefined,
  email: string,
): boolean {
  return !openid?.only || email === openid.breakGlass;
}
