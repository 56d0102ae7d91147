import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedModel } from '../../src/contract/models.ts';
import { modelsQuery } from '../api/chat-queries.ts';
import { chooseModel, rememberedModel, rememberModel } from './choose-model.ts';

interface ChatModel {
  readonly query: ReturnType<typeof useModels>;
  readonly chosen: ListedModel | undefined;
  pick(model: string): void;
}

const useModels = (place: Parameters<typeof modelsQuery>[0]) => useQuery(modelsQuery(place));

/** The models of a place, and the one that the next message goes to. */
export function useChatModel(place: { organization: string; workspace: string | undefined }): ChatModel {
  const query = useModels(place);
  const [wished, setWished] = useState(() => rememberedModel(place.organization));
  return {
    query,
    chosen: query.data && chooseModel(query.data, wished),
    pick(model) {
      setWished(model);
      rememberModel(place.organization, model);
    },
  };
}
