import { AppError } from '../base/errors.ts';
import { isPrivateHost } from '../net/private-address.ts';

/**
 * The base URL of a Models account, normalized so that paths can be appended. A name that resolves to a private address
 * is caught when the connection is made (net/lookup-public.ts), not here.
 */
export function checkAccountUrl(given: string, allowPrivateUrls: boolean): string {
  const refuse = (why: string): never => {
    throw new AppError('invalid_request', { baseUrl: why });
  };
  if (!URL.canParse(given)) return refuse('must be a URL such as https://models.example.com/v1');
  const url = new URL(given);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('must use https or http');
  if (url.username !== '' || url.password !== '') return refuse('must not carry credentials; give the key as key');
  if (url.search !== '' || url.hash !== '') return refuse('must end with its path, which includes /v1');
  if (!allowPrivateUrls && isPrivateHost(url.hostname))
    return refuse('must not point at a loopback, private or link-local address');
  return url.href.replace(/\/+$/, '');
}
