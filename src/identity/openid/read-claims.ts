// What the provider says about a person, read strictly: an address counts only if the provider says that it verified it.
import { AppError } from '../../base/errors.ts';
import { email as emailText } from '../../contract/common.ts';
import { findGroups } from './groups-table.ts';
import type { OpenIdSettings } from './openid-settings.ts';
import type { ProviderTokens } from './provider.ts';

export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** What the provider calls the session. */
  readonly session?: string;
  /** Verified, and of a domain that may come in. */
  readonly email: string | undefined;
  readonly name: string;
  /** The provider says that it asked for more than one factor. */
  readonly secondFactor: boolean;
  readonly authTimeMs: number | undefined;
  /** Undefined if the provider left them out, or no table needs them. */
  readonly groups: readonly string[] | undefined;
}

const NAME_MAX = 100;
const TRUE = new Set<unknown>([true, 1, 'true', '1']);
// eslint-disable-next-line no-control-regex -- these are the characters that no name may hold
const UNWANTED = /[\u0000-\u001f\u007f]|\p{Surrogate}/gu;

/** The claims that are needed. */
export function wantedClaims({ groups }: OpenIdSettings): readonly string[] {
  return ['email', ...(groups ? [groups.claim] : [])];
}

/** Throws `openid_refused`, and where domains are limited `openid_address_unverified` and `openid_domain_refused`. */
export function readClaims({ issuer, subject, claims }: ProviderTokens, settings: OpenIdSettings): ProviderPerson {
  if (!isPlain(subject, 255)) throw new AppError('openid_refused');
  const { sid, auth_time: authTime, amr } = claims;
  const email = findEmail(claims, settings);
  if (settings.allowedDomains) {
    if (email === undefined) throw new AppError('openid_address_unverified');
    if (!settings.allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1)))
      throw new AppError('openid_domain_refused');
  }
  return {
    issuer,
    subject,
    ...(isPlain(sid, 255) ? { session: sid } : {}),
    email,
    name: findName(claims, email),
    secondFactor: Array.isArray(amr) && amr.includes('mfa'),
    authTimeMs: typeof authTime === 'number' ? authTime * 1000 : undefined,
    groups: settings.groups && findGroups(claims, settings.groups.claim),
  };
}

function findEmail(claims: ProviderTokens['claims'], { verifiedClaim }: OpenIdSettings): string | undefined {
  return TRUE.has(claims[verifiedClaim]) ? emailText.safeParse(claims['email']).data : undefined;
}

function findName(claims: ProviderTokens['claims'], email: string | undefined): string {
  for (const claim of ['name', 'preferred_username', 'nickname', 'given_name']) {
    const value = claims[claim];
    const name = typeof value === 'string' ? value.replace(UNWANTED, '').trim().slice(0, NAME_MAX) : '';
    if (name !== '') return name;
  }
  return (email ?? '').split('@', 1)[0] || 'Unnamed';
}

function isPlain(value: unknown, max: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= max && value.search(UNWANTED) < 0;
}
