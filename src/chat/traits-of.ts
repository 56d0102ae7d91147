import { declaredAt } from '../catalog/model-catalog.ts';
import { ACCOUNT_TRAITS, type ModelTraits } from '../catalog/model-traits.ts';
import type { Route } from './decide-turn.ts';

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
