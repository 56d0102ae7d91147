import { createLoader } from '../../../kit/use-loaded.ts';

/** Messages are drawn with everything that reads Markdown, which a new chat does not need before its first message. */
export const useMessageList = createLoader(() => import('./message-list.tsx'));
