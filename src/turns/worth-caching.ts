// Whether a request on platform credit is sent with Anthropic's cache although its client did not ask for it. An agent
// sends everything again with every step: what was written to the cache once is read with the next request, and the
// cache is cheaper if that one reading saves more than the writing costs.
import type { TokenPrice } from '../catalog/model-catalog.ts';
import type { NeutralRequest } from '../model-providers/codecs/neutral.ts';

export function isWorthCaching({ tools, messages }: NeutralRequest, price: TokenPrice): boolean {
  // The second step of a loop: its beginning was sent before, and will be again.
  const isInLoop = tools.length > 0 && messages.some(({ role }) => role === 'assistant');
  return isInLoop && price.cacheWrite - price.input < price.input - price.cacheRead;
}
