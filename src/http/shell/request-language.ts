import type { MailLanguage } from '../../mail/mail-kinds.ts';

/** What the app (or, without it, the browser) asks for, if it is one of ours. */
export function requestLanguage(headers: Pick<Headers, 'get'>): MailLanguage | undefined {
  const wanted = (headers.get('accept-language') ?? '')
    .slice(0, 200)
    .split(',')
    .map((entry) => /^\s*(en|de)(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(entry))
    .filter((match) => match !== null)
    .map(([, language = '', weight = '1']) => ({ language: language.toLowerCase(), weight: Number(weight) }));
  const [first] = wanted.sort((one, other) => other.weight - one.weight);
  return first?.language === 'de' || first?.language === 'en' ? first.language : undefined;
}
