// OpenAI's models that take function tools beside reasoning on Responses only: on Chat Completions they refuse the two
// together. What offers tools on another surface is translated to Responses for them.
import type { Protocol } from '../providers/codecs/neutral.ts';
import type { Loose } from '../providers/codecs/read-fields.ts';

type Asked = { readonly surface: Protocol; readonly body: Loose } | { readonly surface: undefined; readonly request: { readonly tools: readonly unknown[] } };

/** Whether they reason while a request says nothing of it, and whether they can be told not to. */
const MODELS: Readonly<Record<string, 'when-asked' | 'unless-refused' | 'always'>> = {
  'gpt-5.4': 'when-asked',
  'gpt-5.4-mini': 'when-asked',
  'gpt-5.4-nano': 'when-asked',
  'gpt-5.5': 'when-asked',
  'gpt-5.6-sol': 'unless-refused',
  'gpt-5.6-terra': 'unless-refused',
  'gpt-5.6-luna': 'unless-refused',
  'gpt-6-sol': 'unless-refused',
  'gpt-6-luna': 'unless-refused',
  'gpt-6-astra': 'always',
};

export function toolsNeedResponses(model: string, said: Asked): boolean {
  const reasons = MODELS[model];
  if (reasons === undefined || !offersTools(said)) return false;
  if (said.surface !== 'chat' || reasons === 'always') return true;
  const effort = said.body['reasoning_effort'] ?? undefined;
  return effort === undefined ? reasons === 'unless-refused' : effort !== 'none';
}

function offersTools(said: Asked): boolean {
  const tools = said.surface === undefined ? said.request.tools : said.body['tools'];
  return Array.isArray(tools) && tools.length > 0;
}
