// Why a message has no answer, what to do about it, and where. The first sentence is the error's own message. People
// who may not open the page with the fix are told whom to ask.
import { faultText } from '../../../api/fault.ts';
import { chatAdvice, type ChatAdvice, KEPT, NOT_ACCEPTED } from '../strings.ts';
import { RATE_LIMITED } from '../../../api/error-strings.ts';

export type ProblemPage = 'byok' | 'llm-keys' | 'plan' | 'integrations';

/** The pages that the person may open. */
export type OpenPages = ReadonlySet<ProblemPage>;

export interface Explained {
  readonly text: string;
  readonly advice: string;
  readonly pages: readonly ProblemPage[];
  /** The connector to show on the integrations page. */
  readonly app?: string;
}

/** Where an error is fixed; the most specific code first. */
const PAGES: readonly { readonly code: string; readonly pages: readonly ProblemPage[] }[] = [
  { code: 'policy_denied:missing_provider_api_key', pages: ['llm-keys', 'byok'] },
  { code: 'policy_denied:provider_not_supported_by_byok', pages: ['llm-keys'] },
  { code: 'model_not_routable', pages: ['llm-keys'] },
  { code: 'provider_key_rejected', pages: ['llm-keys', 'byok'] },
  { code: 'provider_key_undecryptable', pages: ['llm-keys', 'byok'] },
  { code: 'quota_exceeded', pages: ['plan', 'llm-keys'] },
  { code: 'capability_unusable', pages: ['integrations'] },
];

export function explainProblem(code: string, message: string, open: OpenPages): Explained {
  // A live error says how long to wait; a stored one no longer can.
  const text =
    code === 'rate_limited' && message.startsWith(RATE_LIMITED)
      ? message
      : code === 'invalid_request'
        ? NOT_ACCEPTED
        : faultText(code, message);
  const is = (known: string): boolean => code === known || code.startsWith(`${known}:`);
  const pages = PAGES.find((row) => is(row.code))?.pages.filter((page) => open.has(page)) ?? [];
  const known = Object.keys(chatAdvice).find(is) as ChatAdvice | undefined;
  const advice = known === undefined ? KEPT : chatAdvice[known];
  const app = is('capability_unusable') ? /['„]([^'“]+)['“]/.exec(message)?.[1]?.split('.')[0] : undefined;
  return {
    text,
    advice: typeof advice === 'string' ? advice : pages.length > 0 ? advice.do : advice.ask,
    pages,
    ...(app === undefined ? {} : { app }),
  };
}
