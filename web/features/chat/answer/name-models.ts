import type { Message } from '../../../../src/contract/threads.ts';
import { withServed } from '../../../../src/contract/routes/with-served.ts';

/** The name of the model that was asked and, if another one answered, of that one. */
export function nameModels(
  models: readonly { readonly id: string; readonly name: string }[],
  { model, served }: Pick<Message['metadata'], 'model' | 'served'>,
): string | undefined {
  const named = (id: string): string => models.find((one) => one.id === id)?.name ?? id;
  return model === undefined ? undefined : withServed(named(model), served === undefined ? undefined : named(served));
}
