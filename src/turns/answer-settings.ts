// What can be set for an answer: the effort of reasoning and the temperature. One reading of a model's traits says what
// is offered, and a turn is held to the same: what the model would not take is refused by name, never dropped.
import { AppError } from '../base/errors.ts';
import type { ModelTraits, TraitEffort } from '../catalog/model-traits.ts';
import type { ChatRequest } from '../contract/threads.ts';
import type { NeutralRequest } from '../model-providers/codecs/neutral.ts';
import { findProvider } from '../model-providers/providers.ts';
import type { Route } from './decide-turn.ts';
import { traitsOf } from './provider-request.ts';

export interface AnswerSettings {
  /** Lowest first; empty if the model takes none. */
  readonly efforts: readonly TraitEffort[];
  /** The effort of an answer for which none is set, if it is one of these. */
  readonly defaultEffort: TraitEffort | undefined;
  /** Undefined if the model takes no temperature. */
  readonly temperature: { readonly max: number; readonly when: 'always' | 'unless-reasoning' } | undefined;
}

type Wanted = Pick<ChatRequest, 'effort' | 'temperature'>;

/** Levels for models that think by a budget of tokens: the encoder translates them. */
const BUDGETS: readonly TraitEffort[] = ['low', 'medium', 'high'];
/** Of a provider that only the catalogue knows. */
const MAX_TEMPERATURE = 2;

export function settingsFrom(traits: ModelTraits, provider: string): AnswerSettings {
  const efforts = effortsOf(traits);
  const when = traits.thinking === 'none' || traits.sampling === 'never' ? traits.sampling : 'unless-reasoning';
  return {
    efforts,
    defaultEffort: efforts.find((effort) => effort === traits.defaultEffort),
    temperature:
      when === 'never' ? undefined : { max: findProvider(provider)?.maxTemperature ?? MAX_TEMPERATURE, when },
  };
}

/** Where a model thinks only on request, `none` is a level of its own. */
function effortsOf({ thinking, thinkingOff, efforts }: ModelTraits): readonly TraitEffort[] {
  if (thinking === 'none') return efforts;
  const levels = efforts.length > 0 ? efforts : BUDGETS;
  return thinkingOff ? ['none', ...levels] : levels;
}

export function settingsOf(route: Route): AnswerSettings {
  const traits = traitsOf(route);
  const settings = settingsFrom(traits, route.provider);
  // The highest effort exists on the Responses API only, which most accounts do not have.
  const { credential } = route;
  if (credential.kind !== 'models-account' || credential.protocol === 'responses' || traits.api !== 'responses')
    return settings;
  return { ...settings, efforts: settings.efforts.filter((effort) => effort !== 'max') };
}

/** The request with what was set; throws if the model of the route does not take it. */
export function withSettings(request: NeutralRequest, route: Route, { effort, temperature }: Wanted): NeutralRequest {
  if (effort === undefined && temperature === undefined) return request;
  const faults = findFaults(settingsOf(route), { effort, temperature });
  if (Object.keys(faults).length > 0) throw new AppError('setting_not_supported', { model: route.model.id, ...faults });
  return {
    ...request,
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort === undefined
      ? {}
      : {
          reasoning: {
            effort,
            ...(effort !== 'none' && findProvider(route.provider)?.summarizes ? { summary: true } : {}),
          },
        }),
  };
}

function findFaults(settings: AnswerSettings, { effort, temperature }: Wanted): Readonly<Record<string, string>> {
  const { efforts, defaultEffort, temperature: taken } = settings;
  const reasons = (effort ?? defaultEffort ?? 'none') !== 'none';
  return {
    ...(effort === undefined || efforts.includes(effort)
      ? {}
      : { effort: efforts.length === 0 ? 'is not taken by this model' : `must be one of ${efforts.join(', ')}` }),
    ...(temperature === undefined ? {} : findTemperatureFault(taken, temperature, reasons)),
  };
}

function findTemperatureFault(
  taken: AnswerSettings['temperature'],
  temperature: number,
  reasons: boolean,
): Readonly<Record<string, string>> {
  if (taken === undefined) return { temperature: 'is not taken by this model' };
  if (taken.when === 'unless-reasoning' && reasons)
    return { temperature: 'is taken by this model only with the effort "none"' };
  return temperature > taken.max ? { temperature: `must be at most ${taken.max}` } : {};
}
