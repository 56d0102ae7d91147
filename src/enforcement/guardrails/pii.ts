// Personal data: patterns, and where a number carries a check digit, the check.
import { isIP } from 'node:net';
import { z } from 'zod';
import { defineKind, findSpans, type Span } from './kind-row.ts';

type PiiType = 'email' | 'phone' | 'credit-card' | 'ssn' | 'iban' | 'ip-address';

const FINDERS = {
  email: (text) => findSpans(text, /(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi),
  iban: (text) => findSpans(text, /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/g, passesMod97),
  'credit-card': (text) =>
    findSpans(text, /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g, (found) => passesLuhn(digits(found))),
  ssn: (text) => findSpans(text, /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g),
  'ip-address': (text) => [
    ...findSpans(text, /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\w)/g, (found) => isIP(found) === 4),
    ...findSpans(text, /(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi, (found) => isIP(found) === 6),
  ],
  phone: (text) =>
    findSpans(
      text,
      /(?<![\w.+-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,4}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,5}){1,5}(?![\w-])|(?<![\w.+-])\+\d{9,15}(?!\w)/g,
      isPhone,
    ),
} as const satisfies Record<PiiType, (text: string) => Span[]>;

const ALL = Object.keys(FINDERS) as PiiType[];
const types = z.array(z.enum(ALL as [PiiType, ...PiiType[]])).default(ALL);

/** What is inside a find of an earlier type is not found again: a card number is no telephone number. */
export const pii = defineKind(z.looseObject({ types }), (text, { types }) => {
  const found: Span[] = [];
  for (const type of ALL.filter((one) => types.includes(one))) {
    const before = [...found];
    found.push(
      ...FINDERS[type](text).filter(
        (span) => !before.some((other) => span.start < other.end && other.start < span.end),
      ),
    );
  }
  return found;
});

function digits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Nine to fifteen digits, and not grouped as a social security number is. */
function isPhone(text: string): boolean {
  const { length } = digits(text);
  return length >= 9 && length <= 15 && !/^\d{3}-\d{2}-\d{4}$/.test(text);
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let at = 0; at < number.length; at++) {
    const digit = Number(number.at(-1 - at));
    sum += at % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return sum % 10 === 0;
}

function passesMod97(text: string): boolean {
  const bare = text.replaceAll(' ', '');
  let rest = 0;
  for (const letter of bare.slice(4) + bare.slice(0, 4)) rest = Number(`${rest}${Number.parseInt(letter, 36)}`) % 97;
  return rest === 1;
}
