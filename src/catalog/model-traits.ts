// What a model takes beyond the common ground. Each row of the catalogue says it, mostly by the name of a family;
// nothing is read from a model's name. `chat/translate-request.ts` makes a translated request one that the model takes.
import { z } from 'zod';

/** From none to the most. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Some models take a field only while they do not reason. */
const taken = z.enum(['always', 'unless-reasoning', 'never']);
const effort = z.enum(EFFORTS);

export const modelTraits = z.strictObject({
  /** The levels of effort that it takes; none: the field is refused. */
  efforts: z.array(effort).max(EFFORTS.length),
  /** The effort of a request that names none. */
  defaultEffort: effort,
  /** How a model of Anthropic is told to think: not at all, by a budget of tokens, or by itself. */
  thinking: z.enum(['none', 'budget', 'adaptive']),
  /** Whether thinking can be switched off. */
  thinkingOff: z.boolean(),
  /** `temperature` and `top_p`. */
  sampling: taken,
  /** Stop sequences. */
  stop: taken,
  /** The field of Chat Completions that limits the output. */
  outputLimit: z.enum(['max_tokens', 'max_completion_tokens', 'either']),
  /** The interface of OpenAI on which it takes tools while it reasons. */
  api: z.enum(['chat', 'responses']),
  tools: z.boolean(),
  /** Whether a tool call can be demanded. */
  forcedTools: z.boolean(),
  /** Whether it takes the field that switches several calls at once on and off. */
  parallelTools: z.boolean(),
  vision: z.boolean(),
  pdf: z.boolean(),
  /** A JSON Schema that the provider enforces. */
  structuredOutput: z.boolean(),
});

export type ModelTraits = Readonly<z.output<typeof modelTraits>>;
export type TraitEffort = (typeof EFFORTS)[number];

const COMMON: ModelTraits = {
  efforts: [],
  defaultEffort: 'none',
  thinking: 'none',
  thinkingOff: true,
  sampling: 'always',
  stop: 'always',
  outputLimit: 'max_tokens',
  api: 'chat',
  tools: true,
  forcedTools: true,
  parallelTools: true,
  vision: true,
  pdf: true,
  structuredOutput: true,
};

/** What is known of every model of a provider: a family says where it differs. */
const PROVIDERS: Readonly<Record<string, ModelTraits>> = {
  openai: { ...COMMON, outputLimit: 'max_completion_tokens' },
};

/**
 * Of a model that nobody describes: the form that its provider cannot refuse. Newer models of both refuse what
 * older ones took, so neither effort nor temperature is sent.
 */
const UNKNOWN: Readonly<Record<string, Partial<ModelTraits>>> = {
  openai: { sampling: 'never', api: 'responses' },
  anthropic: { sampling: 'never', forcedTools: false },
};

/** The traits of a described model; undescribed, those that are safe at its provider. */
export function completeTraits(
  provider: string,
  described: z.input<ReturnType<typeof modelTraits.partial>> | undefined,
): ModelTraits {
  return modelTraits.parse({ ...(PROVIDERS[provider] ?? COMMON), ...(described ?? UNKNOWN[provider]) });
}

/** Of what an OpenAI-compatible account of unknown make serves. */
export const ACCOUNT_TRAITS: ModelTraits = COMMON;
