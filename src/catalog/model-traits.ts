// What a model accepts beyond the common subset. Each catalogue row declares it, usually by the name of a family;
// nothing is inferred from a model's name. `turns/translate-request.ts` fits a translated request to it.
import { z } from 'zod';
import { EFFORTS } from '../contract/models.ts';

/** Some models take a field only while they do not reason. */
const taken = z.enum(['always', 'unless-reasoning', 'never']);
const effort = z.enum(EFFORTS);

export const modelTraits = z.strictObject({
  /** The levels of effort that it takes; if empty, the field is refused. */
  efforts: z.array(effort).max(EFFORTS.length),
  /** The effort of a request that names none. */
  defaultEffort: effort,
  /** How an Anthropic model is configured to think: not at all, by a token budget, or adaptively. */
  thinking: z.enum(['none', 'budget', 'adaptive']),
  /** Whether thinking can be switched off. */
  thinkingOff: z.boolean(),
  /** `temperature` and `top_p`. */
  sampling: taken,
  /** Stop sequences. */
  stop: taken,
  /** The field of Chat Completions that limits the output. */
  outputLimit: z.enum(['max_tokens', 'max_completion_tokens', 'either']),
  /** The OpenAI API on which it takes tools while it reasons. */
  api: z.enum(['chat', 'responses']),
  tools: z.boolean(),
  /** Whether a tool call can be forced. */
  forcedTools: z.boolean(),
  /** Whether it takes the field that turns parallel tool calls on and off. */
  parallelTools: z.boolean(),
  vision: z.boolean(),
  pdf: z.boolean(),
  /** Whether the provider enforces a JSON Schema. */
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

/** Traits of all models of a provider; a family overrides them. */
const PROVIDERS: Readonly<Record<string, ModelTraits>> = {
  openai: { ...COMMON, outputLimit: 'max_completion_tokens' },
};

/**
 * Traits of a model without a description: the form its provider cannot refuse. Newer models of both providers refuse
 * what older ones took, so neither effort nor temperature is sent.
 */
const UNKNOWN: Readonly<Record<string, Partial<ModelTraits>>> = {
  openai: { sampling: 'never', api: 'responses' },
  anthropic: { sampling: 'never', forcedTools: false },
};

/** The traits of a described model, or safe defaults for its provider. */
export function completeTraits(
  provider: string,
  described: z.input<ReturnType<typeof modelTraits.partial>> | undefined,
): ModelTraits {
  return modelTraits.parse({ ...(PROVIDERS[provider] ?? COMMON), ...(described ?? UNKNOWN[provider]) });
}

/** Traits of models behind an OpenAI-compatible account of unknown make. */
export const ACCOUNT_TRAITS: ModelTraits = COMMON;
