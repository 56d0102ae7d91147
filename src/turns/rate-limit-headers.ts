import type { UpstreamHeaders } from '../model-providers/call-upstream.ts';
import type { Route } from './decide-turn.ts';

const NAME = /^(?:x|anthropic)-ratelimit-[a-z-]{1,60}$/;
const MOST_CHARACTERS = 100;

/** What a provider says about the limits of its caller: on an own key that is the organization. */
export function rateLimitHeaders(
  { credential }: Pick<Route, 'credential'>,
  headers: UpstreamHeaders,
): Readonly<Record<string, string>> {
  if (credential.kind !== 'own-key') return {};
  const told: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && value.length <= MOST_CHARACTERS && NAME.test(name)) told[name] = value;
  return told;
}
