// Translates a request to the provider's protocol through the neutral form and fits it to the model. A field that the
// model refuses is left out, and reported, if that changes only the manner of the answer; if it would change the answer
// itself, the request is refused and the error names the field.
import { AppError } from '../base/errors.ts';
import { needsResponses } from '../catalog/model-catalog.ts';
import type { ModelTraits } from '../catalog/model-traits.ts';
import { EFFORTS } from '../contract/models.ts';
import { mappedTools, shortenNames } from '../model-providers/codecs/name-tools.ts';
import type { Effort, NeutralRequest, NeutralTool, Protocol } from '../model-providers/codecs/neutral.ts';
import { PROTOCOLS } from '../model-providers/codecs/protocols.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import { effortOf } from '../model-providers/codecs/reasoning-effort.ts';
import { refuseTooMany } from '../model-providers/codecs/refuse-too-many.ts';
import type { Wire } from '../model-providers/providers.ts';
import type { RouteTarget } from './decide-turn.ts';

/** A client's request on one of the surfaces, or an internal one that is already neutral. */
export type SourceRequest =
  | { readonly surface: Protocol; readonly body: Loose; readonly betas: readonly string[] }
  | { readonly surface: undefined; readonly request: NeutralRequest };

export interface TranslationTarget {
  readonly route: RouteTarget;
  readonly traits: ModelTraits;
  readonly wire: Wire;
  /** Applied to the neutral form before it is encoded. */
  readonly adjust: (request: NeutralRequest) => NeutralRequest;
}

export interface TranslatedBody {
  readonly protocol: Protocol;
  readonly body: Loose;
  /** Fields that the model does not take. */
  readonly leftOut: readonly string[];
  /** Tools that the provider sees under another name or as another kind. */
  readonly mapped?: readonly NeutralTool[] | undefined;
  readonly compacts?: true | undefined;
}

export function translateRequest(source: SourceRequest, target: TranslationTarget): TranslatedBody {
  const wanted = toNeutral(source, target.wire);
  try {
    return encodeFor(target, source, wanted);
  } catch (error) {
    throw source.surface !== undefined && error instanceof AppError ? asWritten(error, source.surface) : error;
  }
}

/** Fields of the neutral form that a surface has under another name. */
const WRITTEN: Readonly<Record<Protocol, Readonly<Record<string, string>>>> = {
  chat: {},
  messages: { stop: 'stop_sequences' },
  responses: { messages: 'input' },
};

/** A refusal names the field as the client wrote it. */
function asWritten({ code, details, cause }: AppError, surface: Protocol): AppError {
  const named = Object.entries(details).map(([field, why]) => [WRITTEN[surface][field] ?? field, why] as const);
  return new AppError(code, Object.fromEntries(named), { cause });
}

function encodeFor(
  { route, traits, wire, adjust }: TranslationTarget,
  source: SourceRequest,
  given: NeutralRequest,
): TranslatedBody {
  const wanted = shortenNames(adjust(given));
  const protocol = protocolFor(wire, traits, wanted);
  const { request, leftOut } = fitRequest(wanted, traits, protocol);
  const body = PROTOCOLS[protocol].encodeRequest(request, {
    model: route.upstreamModel,
    maxOutputTokens: route.model.maxOutputTokens,
    thinking: traits.thinking,
    limitField: traits.outputLimit === 'max_tokens' ? 'max_tokens' : 'max_completion_tokens',
  });
  return {
    protocol,
    body: source.surface === 'chat' && protocol === 'responses' ? withSharedFields(body, source.body) : body,
    leftOut,
    mapped: mappedTools(request.tools),
    compacts: request.compacts,
  };
}

function toNeutral(source: SourceRequest, { fields }: Wire): NeutralRequest {
  if (source.surface === undefined) return source.request;
  refuseTooMany(source.surface, source.body);
  // A Chat Completions body for OpenAI's Responses API is a translation, so the rules of a translation apply.
  return PROTOCOLS[source.surface].decodeRequest(source.body, source.surface === 'chat' ? undefined : fields);
}

function protocolFor({ protocols }: Wire, traits: ModelTraits, { tools, reasoning }: NeutralRequest): Protocol {
  return protocols.includes('responses') &&
    needsResponses(traits, { tools: tools.length > 0, effort: effortOf(reasoning) })
    ? 'responses'
    : protocols[0];
}

/** Fields that OpenAI's two APIs share and no other provider has. */
const SHARED = ['metadata', 'prompt_cache_key', 'prompt_cache_retention', 'service_tier'] as const;

function withSharedFields(body: Loose, given: Loose): Loose {
  const shared = Object.fromEntries(
    SHARED.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field]]])),
  );
  const text =
    given['verbosity'] === undefined
      ? {}
      : { text: { ...(isObject(body['text']) ? body['text'] : {}), verbosity: given['verbosity'] } };
  return { ...body, ...shared, ...text };
}

interface Fitted {
  readonly request: NeutralRequest;
  readonly leftOut: readonly string[];
}

function fitRequest(request: NeutralRequest, traits: ModelTraits, protocol: Protocol): Fitted {
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
 * The nearest level the model takes, preferring a lower one. Requested reasoning is never switched off for lack of a
 * matching level.
 */
function nearestEffort(taken: readonly Effort[], wanted: Effort): Effort | undefined {
  if (taken.includes(wanted)) return wanted;
  const known = EFFORTS.filter((effort) => effort !== 'none' && taken.includes(effort));
  return known.findLast((effort) => EFFORTS.indexOf(effort) <= EFFORTS.indexOf(wanted)) ?? known[0];
}

function fitReasoning(request: NeutralRequest, traits: ModelTraits, protocol: Protocol): NeutralRequest['reasoning'] {
  const { reasoning } = request;
  if (protocol === 'messages') return fitThinking(reasoning, traits);
  // An account has no Responses API: with tools, reasoning is switched off.
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

/**
 * With a budget, the client's value is kept, as the encoder knows the limit; with effort, the nearest level is used.
 */
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

/** A tool call that cannot be forced is requested in the prompt: the named tool, or any. */
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

/** A schema that the provider does not enforce becomes an instruction. */
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
