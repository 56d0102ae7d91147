// Addresses that people give and the service calls.
import { AppError } from '../base/errors.ts';
import { isPrivateHost } from './private-address.ts';

/** A name that resolves to a private address is caught when the connection is made (connect-publicly.ts), not here. */
export function checkCalledUrl(field: string, given: string, allowPrivateUrls: boolean): URL {
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
