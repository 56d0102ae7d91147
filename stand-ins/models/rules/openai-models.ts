// What each of OpenAI's models accepts, from the pages the rules name. It is deliberately separate from the gateway's
// catalogue, so that a wrong row there is noticed here.

export interface OpenAiModel {
  /** Efforts of a reasoning model; empty for a model that does not reason. */
  readonly efforts: readonly string[];
  /** Used if a request names none. */
  readonly usualEffort: string;
  /** Function tools on Chat Completions: at any effort, only while it does not reason, or only on Responses. */
  readonly chatTools: 'any' | 'without-reasoning' | 'never';
}

const PLAIN = { efforts: [], usualEffort: 'none', chatTools: 'any' } as const satisfies OpenAiModel;
const O_SERIES = {
  efforts: ['low', 'medium', 'high'],
  usualEffort: 'medium',
  chatTools: 'any',
} as const satisfies OpenAiModel;
const GPT_5 = {
  efforts: ['minimal', 'low', 'medium', 'high'],
  usualEffort: 'medium',
  chatTools: 'any',
} as const satisfies OpenAiModel;
const GPT_5_2 = {
  efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
  usualEffort: 'none',
  chatTools: 'any',
} as const satisfies OpenAiModel;
const GPT_5_4 = { ...GPT_5_2, chatTools: 'without-reasoning' } as const satisfies OpenAiModel;
const GPT_5_6 = {
  efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  usualEffort: 'medium',
  chatTools: 'without-reasoning',
} as const satisfies OpenAiModel;

const MODELS: Readonly<Record<string, OpenAiModel>> = {
  'gpt-3.5-turbo': PLAIN,
  'gpt-4': PLAIN,
  'gpt-4-turbo': PLAIN,
  'gpt-4o': PLAIN,
  'gpt-4o-mini': PLAIN,
  'gpt-4.1': PLAIN,
  'gpt-4.1-mini': PLAIN,
  'gpt-4.1-nano': PLAIN,
  'gpt-chat-latest': PLAIN,
  'gpt-5-chat-latest': PLAIN,
  o1: O_SERIES,
  'o3-mini': O_SERIES,
  o3: O_SERIES,
  'o4-mini': O_SERIES,
  'gpt-5': GPT_5,
  'gpt-5-mini': GPT_5,
  'gpt-5-nano': GPT_5,
  'gpt-5.1': { ...GPT_5_2, efforts: ['none', 'low', 'medium', 'high'] },
  'gpt-5.2': GPT_5_2,
  'gpt-5.4': GPT_5_4,
  'gpt-5.4-mini': GPT_5_4,
  'gpt-5.4-nano': GPT_5_4,
  'gpt-5.5': GPT_5_4,
  'gpt-5.6-sol': GPT_5_6,
  'gpt-5.6-terra': GPT_5_6,
  'gpt-5.6-luna': GPT_5_6,
  'gpt-6-sol': GPT_5_6,
  'gpt-6-luna': GPT_5_6,
  'gpt-6-astra': { efforts: ['low', 'medium', 'high', 'xhigh', 'max'], usualEffort: 'medium', chatTools: 'never' },
};

/** A model newer than this table: reasons, at any effort. */
const UNKNOWN = {
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  usualEffort: 'medium',
  chatTools: 'any',
} as const satisfies OpenAiModel;

export function openAiModel(name: string): OpenAiModel {
  return MODELS[name.replace(/-\d{4}-\d{2}-\d{2}$/, '')] ?? UNKNOWN;
}

export function reasons({ efforts }: OpenAiModel): boolean {
  return efforts.length > 0;
}
