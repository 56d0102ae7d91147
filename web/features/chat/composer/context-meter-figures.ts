// How full a model's context is with the next message, and what that message is likely to cost. Weights are those by
// which the server cuts a conversation (`context-size.ts`): what it last gave the model, the messages since, and the
// draft. Prices are estimates.
import { BYTES_PER_TOKEN, inputBudget, weighAttachment } from '../../../../src/contract/context/context-size.ts';
import type { ListedModel } from '../../../../src/contract/models.ts';
import type { Message, MessageMetadata } from '../../../../src/contract/threads.ts';
import type { UploadedFile } from '../chat-client.ts';

export interface NextMessage {
  readonly text: string;
  readonly files: readonly Pick<UploadedFile, 'type' | 'size'>[];
}

/** In bytes of text. */
export interface ContextFigures {
  readonly parts: Readonly<Record<'instructions' | 'files' | 'history' | 'draft' | 'attachments', number>>;
  /** All of them together, as far as they fit. */
  readonly used: number;
  readonly budget: number;
  /**
   * `near`: little room is left. `cuts`: the oldest messages are left out. `too-long`: the message alone is longer than
   * the context, so that the provider refuses it.
   */
  readonly state: 'fine' | 'near' | 'cuts' | 'too-long';
  /** How many of the oldest messages the model did not get with the last question; 0 if it got all. */
  readonly leftOut: number;
}

const NEAR = 0.8;
const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** `instructions`: those of the project of a new chat; afterwards the answers say what there was. */
export function measureContext(
  messages: readonly Message[],
  next: NextMessage,
  model: Pick<ListedModel, 'contextWindow' | 'maxOutputTokens'>,
  instructions = '',
): ContextFigures {
  const budget = inputBudget(model);
  const { known, since } = lastKnown(messages);
  // Of what was left out for a smaller model, only the page knows the weight.
  const history =
    known && known.leftOut === 0
      ? known.history + known.question + sum(since.map(weighMessage))
      : sum(messages.map(weighMessage));
  const parts = {
    instructions: known?.instructions ?? bytesOf(instructions),
    files: known?.files ?? 0,
    history,
    draft: bytesOf(next.text),
    attachments: sum(next.files.map(weighAttachment)),
  };
  const total = sum(Object.values(parts));
  const cuts = total > budget;
  return {
    parts,
    used: Math.min(total, budget),
    budget,
    state: parts.draft > budget ? 'too-long' : cuts ? 'cuts' : total > budget * NEAR ? 'near' : 'fine',
    leftOut: cuts ? (known?.leftOut ?? 0) : 0,
  };
}

/** What the model was last given, and the messages that have come since. */
function lastKnown(messages: readonly Message[]): {
  known: MessageMetadata['context'];
  since: readonly Message[];
} {
  const at = messages.findLastIndex(({ metadata }) => metadata.context !== undefined);
  const last = messages[at];
  // A question without an answer has it too, and is part of it.
  return { known: last?.metadata.context, since: messages.slice(last?.role === 'user' ? at + 1 : Math.max(at, 0)) };
}

function weighMessage({ parts, wholeBytes }: Message): number {
  if (wholeBytes !== undefined) return wholeBytes;
  return sum(
    parts.map((part) => {
      if (part.type === 'text') return bytesOf(part.text);
      if (part.type === 'data-attachment') return weighAttachment(part.data);
      return part.type === 'data-job' ? bytesOf(part.data.result ?? '') : 0;
    }),
  );
}

export type PriceFigures =
  | { readonly kind: 'demo' | 'unknown' }
  | {
      readonly kind: 'platform' | 'own-key';
      /** In US dollars. */
      readonly cost: number;
      readonly inputTokens: number;
      readonly cachedTokens: number;
      readonly outputTokens: number;
      /** Of several that may answer, the one whose price this is. */
      readonly at: string | undefined;
    };

type Rates = NonNullable<ListedModel['prices']>[number];

/** The length of an answer in a chat that has none yet. */
const TYPICAL_OUTPUT = 500;
/** The latest answers say how long the next one may be. */
const RECENT = 5;

export function priceNext(
  messages: readonly Message[],
  figures: ContextFigures,
  model: ListedModel,
  { models, demo }: { readonly models: readonly ListedModel[]; readonly demo: boolean },
): PriceFigures {
  if (demo) return { kind: 'demo' };
  const { credential } = model;
  const offers = offersOf(model, models);
  if (credential === null || credential === 'models-account' || offers.length === 0) return { kind: 'unknown' };
  const last = messages.findLast(({ metadata }) => metadata.inputTokens !== undefined);
  const tokens = {
    inputTokens: inputTokensOf(figures, last),
    cachedTokens: last?.metadata.model === model.id ? (last.metadata.cachedTokens ?? 0) : 0,
    outputTokens: typicalOutput(messages),
  };
  const answered = offers.filter(
    ({ rates }) => last?.metadata.model === model.id && rates.provider === last.metadata.provider,
  );
  const [best] = (answered.length > 0 ? answered : offers)
    .map((offer) => ({ ...offer, cost: costAt(offer.rates, tokens) }))
    .toSorted((one, other) => one.cost - other.cost);
  if (best === undefined) return { kind: 'unknown' };
  return { kind: credential, cost: best.cost, ...tokens, at: offers.length > 1 ? best.name : undefined };
}

interface Offer {
  readonly name: string;
  readonly rates: Rates;
}

/** Every price that the answer may have: those of each provider, and of each model of a route. */
function offersOf(model: ListedModel, models: readonly ListedModel[]): Offer[] {
  const may = model.models
    ? models.filter(({ id, credential }) => model.models?.includes(id) && credential !== null)
    : [model];
  return may.flatMap(({ name, prices = [] }) =>
    prices.map((rates) => ({ name: prices.length > 1 ? rates.provider : name, rates })),
  );
}

/** As counted for the last answer, plus an estimate of what is new; without one, an estimate of everything. */
function inputTokensOf({ parts, used, state }: ContextFigures, last: Message | undefined): number {
  const { inputTokens, context } = last?.metadata ?? {};
  if (inputTokens === undefined || !context || state === 'cuts' || state === 'too-long') return tokensOf(used);
  const before = context.history + context.question;
  return inputTokens + tokensOf(Math.max(0, parts.history - before) + parts.draft + parts.attachments);
}

function typicalOutput(messages: readonly Message[]): number {
  const recent = messages.flatMap(({ metadata }) => metadata.outputTokens ?? []).slice(-RECENT);
  return recent.length === 0 ? TYPICAL_OUTPUT : Math.ceil(sum(recent) / recent.length);
}

/** Prices are per million tokens. */
function costAt(
  rates: Rates,
  { inputTokens, cachedTokens, outputTokens }: { inputTokens: number; cachedTokens: number; outputTokens: number },
): number {
  const { longInput } = rates;
  const { input, cacheRead, output } = longInput && inputTokens > longInput.aboveTokens ? longInput : rates;
  const cached = Math.min(cachedTokens, inputTokens);
  return ((inputTokens - cached) * input + cached * cacheRead + outputTokens * output) / 1e6;
}

/** Models that could take all of it, the cheapest first. */
export function roomierModels(models: readonly ListedModel[], chosen: ListedModel): ListedModel[] {
  return models
    .filter(
      (model) =>
        model.modality === 'chat' &&
        model.allowed &&
        model.credential !== null &&
        inputBudget(model) > inputBudget(chosen) * 1.2,
    )
    .toSorted((one, other) => (one.price?.input ?? Infinity) - (other.price?.input ?? Infinity));
}
