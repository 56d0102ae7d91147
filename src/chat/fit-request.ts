// Makes a translated request one that the model takes. A field that it refuses is left out, and named, where that
// changes at most the manner of the answer; where the answer would be another, the request is refused by name.
import { AppError } from '../base/errors.ts';
import { declaredAt } from '../catalog/model-catalog.ts';
import { ACCOUNT_TRAITS, EFFORTS, type ModelTraits } from '../catalog/model-traits.ts';
import type { Effort, NeutralRequest, Protocol } from '../model-providers/codecs/neutral.ts';
import { effortOf } from '../model-providers/codecs/reasoning-effort.ts';
import type { Route } from './decide-turn.ts';

export interface Fitted {
  readonly request: NeutralRequest;
  /** Fields that were not sent. */
  readonly leftOut: readonly string[];
}

export function fitRequest(request: NeutralRequest, traits: ModelTraits, protocol: Protocol): Fitted {
  refuseForeign(request, traits);
  const reasoning = fitReasoning(request, traits, protocol);
  const reasons = (reasoning?.effort ?? (reasoning ? 'medium' : traits.defaultEffort)) !== 'none';
  const takes = (when: ModelTraits['stop']): boolean => when === 'always' || (when === 'unless-reasoning' && !reasons);
  if (request.stop.length > 0 && !takes(traits.stop))
    throw new AppError('invalid_request', {
      stop:
        traits.stop === 'never'
          ? 'this model takes no stop sequences'
          : 'this model takes no stop sequences while it reasons: ask for the effort "none"',
    });
  const sampling = takes(traits.sampling) ? {} : { temperature: undefined, topP: undefined };
  const leftOut = [
    ...(request.reasoning && request.reasoning.effort !== 'none' && reasoning === undefined
      ? ['reasoning_effort']
      : []),
    ...('temperature' in sampling && request.temperature !== undefined ? ['temperature'] : []),
    ...('topP' in sampling && request.topP !== undefined ? ['top_p'] : []),
  ];
  return {
    request: {
      ...request,
      ...sampling,
      ...fitTools(request, traits),
      ...fitFormat(request, traits, protocol),
      reasoning,
    },
    leftOut,
  };
}

/**
 * OpenAI's newer models take tools on Chat Completions only while they do not reason, and the highest effort not at
 * all; on Responses they take both.
 */
export function needsResponses(
  traits: ModelTraits,
  asks: { readonly tools: boolean; readonly effort: Effort | undefined },
): boolean {
  if (traits.api !== 'responses') return false;
  const effort = asks.effort ?? traits.defaultEffort;
  return effort === 'max' || (asks.tools && (effort !== 'none' || !traits.efforts.includes('none')));
}

/** The nearest level that is taken, rather less than more. Reasoning that is wanted is never switched off for want of a level. */
export function nearestEffort(taken: readonly Effort[], wanted: Effort): Effort | undefined {
  if (taken.includes(wanted)) return wanted;
  const known = EFFORTS.filter((effort) => effort !== 'none' && taken.includes(effort));
  return known.findLast((effort) => EFFORTS.indexOf(effort) <= EFFORTS.indexOf(wanted)) ?? known[0];
}

function fitReasoning(request: NeutralRequest, traits: ModelTraits, protocol: Protocol): NeutralRequest['reasoning'] {
  const { reasoning } = request;
  if (protocol === 'messages') return fitThinking(reasoning, traits);
  // An account has no other interface: what it takes with tools is no reasoning.
  if (protocol === 'chat' && needsResponses(traits, { tools: request.tools.length > 0, effort: effortOf(reasoning) }))
    return traits.efforts.includes('none') ? { effort: 'none' } : undefined;
  const wanted = effortOf(reasoning);
  const effort = wanted === undefined ? undefined : nearestEffort(traits.efforts, wanted);
  return reasoning === undefined || traits.efforts.length === 0
    ? undefined
    : {
        ...(effort === undefined ? {} : { effort }),
        ...(reasoning.summary === undefined ? {} : { summary: reasoning.summary }),
      };
}

/** By a budget a model is told what the client said, for the encoder knows the limit; by effort, the nearest level. */
function fitThinking(
  reasoning: NeutralRequest['reasoning'],
  { thinking, thinkingOff, efforts }: ModelTraits,
): NeutralRequest['reasoning'] {
  if (reasoning === undefined || thinking === 'none') return undefined;
  if (thinking === 'budget') return reasoning;
  if (reasoning.effort === 'none' && thinkingOff) return reasoning;
  const wanted = effortOf(reasoning);
  const { budgetTokens: _budget, ...rest } = reasoning;
  return wanted === undefined ? rest : { ...rest, effort: nearestEffort(efforts, wanted) };
}

/** What cannot be demanded is asked for: the one tool that was named, or any. */
function fitTools(
  { tools, toolChoice, parallelToolCalls, system }: NeutralRequest,
  traits: ModelTraits,
): Partial<NeutralRequest> {
  const parallel = traits.parallelTools ? {} : { parallelToolCalls: undefined };
  if (traits.forcedTools || (toolChoice?.type !== 'required' && toolChoice?.type !== 'named'))
    return parallelToolCalls === undefined ? {} : parallel;
  const named = toolChoice.type === 'named' ? toolChoice.name : undefined;
  const rule = named === undefined ? 'Answer by calling one of the tools.' : `Answer by calling the tool ${named}.`;
  return {
    ...parallel,
    tools: named === undefined ? tools : tools.filter(({ name }) => name === named),
    toolChoice: { type: 'auto' },
    system: [...system, rule],
  };
}

/** A schema that nobody enforces becomes an instruction. */
function fitFormat(
  { format }: NeutralRequest,
  { structuredOutput }: ModelTraits,
  protocol: Protocol,
): Partial<NeutralRequest> {
  return format?.type === 'json-schema' && !structuredOutput && protocol === 'messages'
    ? { format: { ...format, strict: false } }
    : {};
}

function refuseForeign({ tools, messages }: NeutralRequest, traits: ModelTraits): void {
  if (tools.length > 0 && !traits.tools) throw new AppError('invalid_request', { tools: 'this model takes no tools' });
  if (traits.vision && traits.pdf) return;
  const parts = messages.flatMap((message) =>
    message.role === 'user'
      ? message.parts
      : message.role === 'tool'
        ? message.results.flatMap((result) => result.parts)
        : [],
  );
  if (!traits.vision && parts.some(({ type }) => type === 'image'))
    throw new AppError('invalid_request', { messages: 'this model takes no images' });
  if (!traits.pdf && parts.some((part) => part.type === 'document' && part.source.kind !== 'text'))
    throw new AppError('invalid_request', { messages: 'this model takes no documents' });
}

/** What the model takes where the route leads. */
export function traitsOf({
  model,
  provider,
  credential,
}: Pick<Route, 'model' | 'provider' | 'credential'>): ModelTraits {
  const traits = declaredAt(model, provider)?.traits ?? ACCOUNT_TRAITS;
  return credential.kind === 'models-account' ? behindAccount(traits, provider, credential.takesEffort) : traits;
}

/**
 * An account speaks Chat Completions, whoever made the model. Fields that a model is known to refuse are not sent
 * there either; an effort is sent for models of OpenAI, which have the field of their own, and where the account is
 * said to take it.
 */
function behindAccount(known: ModelTraits, provider: string, takesEffort: boolean): ModelTraits {
  const { sampling, stop, tools, vision, pdf } = known;
  const traits: ModelTraits = provider === 'openai' ? known : { ...ACCOUNT_TRAITS, sampling, stop, tools, vision, pdf };
  return takesEffort && traits.efforts.length === 0 ? { ...traits, efforts: ['low', 'medium', 'high'] } : traits;
}
