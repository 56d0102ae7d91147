import { z } from 'zod';
import { findWords } from './find-words.ts';
import { defineKind } from './kind-row.ts';

const words = z.array(z.string().max(200)).max(500).default([]);

/** `words` is another name for `keywords`. */
export const keyword = defineKind(
  z.looseObject({
    keywords: words,
    words,
    caseSensitive: z.boolean().default(false),
    wholeWord: z.boolean().default(true),
  }),
  (text, { keywords, words, caseSensitive, wholeWord }) =>
    findWords(text, [...keywords, ...words], { caseSensitive, wholeWord }),
);
