import { AppError } from '../base/errors.ts';
import { ACCOUNT_AUTHS, takesProtocol } from '../contract/accounts/account-kinds.ts';
import type { ModelsAccountInput } from '../contract/models-account.ts';
import { ACCOUNT_ROWS } from './accounts/account-rows.ts';
import { isPrivateHost } from '../net/private-address.ts';

type CheckedFields = Pick<ModelsAccountInput, 'protocol' | 'auth' | 'baseUrl' | 'key'>;

/**
 * The base URL of a Models account, normalized so that paths can be appended, and its key. A name that resolves to a
 * private address is caught when the connection is made (net/lookup-public.ts), not here.
 */
export function checkAccount(
  { protocol, auth, baseUrl, key }: CheckedFields,
  allowPrivateUrls: boolean,
): { readonly baseUrl: string; readonly key: string } {
  if (!takesProtocol(auth, protocol))
    throw new AppError('invalid_request', {
      protocol: `must be ${ACCOUNT_AUTHS[auth].join(' or ')} with auth ${auth}`,
    });
  const row = ACCOUNT_ROWS[auth];
  const url = checkUrl('baseUrl', baseUrl, allowPrivateUrls);
  const fault = row.findUrlFault(url, protocol);
  if (fault !== undefined) throw new AppError('invalid_request', { baseUrl: fault });
  const read = row.readKey(key);
  if ('fault' in read) throw new AppError('invalid_request', { key: read.fault });
  if (read.contacts !== undefined) checkUrl('key', read.contacts, allowPrivateUrls);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { baseUrl: url.href.replace(/\/$/, ''), key: read.key };
}

/** An address that the service will call, wherever it was given. */
function checkUrl(field: string, given: string, allowPrivateUrls: boolean): URL {
  const refuse = (why: string): never => {
    throw new AppError('invalid_request', { [field]: why });
  };
  if (!URL.canParse(given)) return refuse('must be a URL such as https://models.example.com/v1');
  const url = new URL(given);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('must use https or http');
  if (url.username !== '' || url.password !== '') return refuse('must not carry credentials; give the key as key');
  if (url.hash !== '') return refuse('must end with its path');
  if (!allowPrivateUrls && isPrivateHost(url.hostname))
    return refuse('must not point at a loopback, private or link-local address');
  return url;
}
