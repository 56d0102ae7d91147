import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedModel } from '../../../src/contract/models.ts';
import { modelsQuery } from '../models-and-keys/queries.ts';
import { chooseModel, rememberedModel, rememberModel } from './choose-model.ts';

interface ChatModel {
  readonly query: ReturnType<typeof useModels>;
  readonly chosen: ListedModel | undefined;
  pick(model: string): void;
}

const useModels = (place: Parameters<typeof modelsQuery>[0]) => useQuery(modelsQuery(place));

/**
 * The models of a workspace, and the one for the next message: the one picked in this chat, otherwise the one that
 * answered last, otherwise the last pick in this browser.
 */
export function useChatModel(
  place: { organization: string; workspace: string | undefined },
  chat: string,
  answered: string | undefined,
): ChatModel {
  const query = useModels(place);
  const [picked, setPicked] = useState<{ chat: string; model: string }>();
  const wished =
    (picked?.chat === chat ? picked.model : answered) ?? picked?.model ?? rememberedModel(place.organization);
  return {
    query,
    chosen: query.data && chooseModel(query.data, wished),
    pick(model) {
      setPicked({ chat, model });
      rememberModel(place.organization, model);
    },
  };
}
