import { AppError } from '../base/errors.ts';
import { ACCOUNT_AUTHS, takesProtocol } from '../contract/accounts/account-kinds.ts';
import type { ModelsAccountInput } from '../contract/models-account.ts';
import { ACCOUNT_ROWS } from './accounts/account-rows.ts';
import { checkCalledUrl } from '../net/check-called-url.ts';

type CheckedFields = Pick<ModelsAccountInput, 'protocol' | 'auth' | 'baseUrl' | 'key'>;

/**
 * The base URL of a Models account, normalized so that paths can be appended, and its key. A name that resolves to a
 * private address is caught when the connection is made (net/connect-publicly.ts), not here.
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
  const url = checkCalledUrl('baseUrl', baseUrl, allowPrivateUrls);
  const fault = row.findUrlFault(url, protocol);
  if (fault !== undefined) throw new AppError('invalid_request', { baseUrl: fault });
  const read = row.readKey(key);
  if ('fault' in read) throw new AppError('invalid_request', { key: read.fault });
  if (read.contacts !== undefined) checkCalledUrl('key', read.contacts, allowPrivateUrls);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { baseUrl: url.href.replace(/\/$/, ''), key: read.key };
}
