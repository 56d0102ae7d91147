import { createContext, useContext } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';

/** The workspace of the open chat, which the links of an error lead to; undefined until it is known. */
export const ChatPlaceContext = createContext<Workspace | undefined>(undefined);

export function useChatPlace(): Workspace | undefined {
  return useContext(ChatPlaceContext);
}
