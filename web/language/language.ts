// The language of the page. `public/before-paint.js` decides it before the first paint and writes it to <html lang>, so
// there is one decision per load; changing it saves the choice and loads the page again. Tables of strings hold the
// English texts, their siblings `*.de.ts` the German ones, which only readers of German load (see `main.ts`).

import { isolateNames } from './isolate-names.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** Typed here, because scripts that have no page read the tables too. */
const page = (globalThis as { document?: { readonly documentElement: { readonly lang: string } } }).document;

const stated = page?.documentElement.lang ?? '';

/** Without a page, as in unit tests, it is English. */
export const LANGUAGE: Language = isLanguage(stated) ? stated : 'en';

/** The variant of it that the person's browser prefers, such as British English or Austrian German. */
export const LOCALE: string =
  (page === undefined ? [] : navigator.languages).find((tag) => languageOf(tag) === LANGUAGE) ?? LANGUAGE;

function languageOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? '';
}

/** What a translation must have: every key, and for a sentence with parameters the same parameters. */
export type Translated<T> = T extends string
  ? string
  : T extends (...parameters: infer P) => infer R
    ? (...parameters: P) => Translated<R>
    : { readonly [K in keyof T]: Translated<T[K]> };

let translation: Readonly<Record<string, unknown>> = {};

/** Before the first table is loaded: a table picks its language then. */
export function setTranslation(texts: typeof translation): void {
  translation = texts;
}

/** The texts that a table exports under this name, which no other table uses. */
export function inLanguage<const T>(name: string, english: T): Translated<T> {
  const texts = translation[name] ?? english;
  return (page === undefined ? texts : isolateNames(texts)) as Translated<T>;
}
