import { createContext, useContext } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';

/** The workspace of the open chat, where what a refusal asks for is found; undefined until it is known. */
export const ChatPlaceContext = createContext<Workspace | undefined>(undefined);

export function useChatPlace(): Workspace | undefined {
  return useContext(ChatPlaceContext);
}
