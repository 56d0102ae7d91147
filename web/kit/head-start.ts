import { createContext, type ReactNode } from 'react';

/** What the shell puts at the start of a page's own head, if the page has one in place of that of narrow screens. */
export const HeadStart = createContext<ReactNode>(null);
