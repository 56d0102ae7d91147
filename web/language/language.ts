// The language of the page. `public/before-paint.js` decides it before the first paint and writes it to <html lang>, so
// there is one decision per load; changing it saves the choice and loads the page again. Every table of strings holds
// its English texts and picks between them and its sibling `*.de.ts` here.

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

export function inLanguage<T>(english: T, german: NoInfer<Translated<T>>): Translated<T> {
  return LANGUAGE === 'de' ? german : (english as Translated<T>);
}
