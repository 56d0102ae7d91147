// Every kind of guardrail, one row each. The two that need more than a pattern or a word list have a file of their own.
import { isIP } from 'node:net';
import { z } from 'zod';
import type { GuardrailKind } from '../../contract/guardrails.ts';
import { findWords } from './find-words.ts';
import { jsonSchema } from './json-schema.ts';
import { defineKind, findSpans, type KindRow, type Span } from './kind-row.ts';
import { topic } from './topic.ts';

type PiiType = 'email' | 'phone' | 'credit-card' | 'ssn' | 'iban' | 'ip-address';

/** Personal data: patterns, plus the check digit where the number has one. */
const PII_FINDERS = {
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

const PII_TYPES = Object.keys(PII_FINDERS) as PiiType[];

/** Credentials, recognised by their issuer's format, and values assigned to a telltale name. */
const SECRETS = [
  /(?<![\w-])sk-[\w-]{16,300}/g,
  /(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/g,
  /(?<!\w)gh[pousr]_[A-Za-z0-9]{20,255}/g,
  /(?<!\w)github_pat_\w{22,255}/g,
  /(?<!\w)glpat-[\w-]{20,255}/g,
  /(?<!\w)xox[abeprs]-[\w-]{10,255}/g,
  /(?<!\w)AIza[\w-]{35}(?![\w-])/g,
  /(?<!\w)[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}/g,
  /(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,2000}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[\w\s+/=:,]{0,10000}-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  /(?<=(?<![a-z])(?:api[_-]?key|access[_-]?key|secret|password|passwd|token)["']?\s{0,3}[:=]\s{0,3}["']?)(?![\s"'])[^\s"',;]{8,200}/gi,
];

/** A basic English list. An organization can add words and allow any of these. */
const PROFANITIES = [
  'arse',
  'arsehole',
  'ass',
  'asshole',
  'bastard',
  'bitch',
  'bollocks',
  'bullshit',
  'crap',
  'cunt',
  'damn',
  'dick',
  'dickhead',
  'fuck',
  'fucked',
  'fucker',
  'fucking',
  'goddamn',
  'motherfucker',
  'piss',
  'pissed',
  'prick',
  'pussy',
  'shit',
  'shitty',
  'slut',
  'twat',
  'wanker',
  'whore',
];

const GAP = '[\\s,"\']{1,10}';
const phrase = (...parts: string[]): RegExp => new RegExp(`(?<!\\w)${parts.join(GAP)}(?!\\w)`, 'gi');

/** Common phrasings of attempts to take over the model. A list of patterns, not a classifier. */
const INJECTIONS = [
  phrase(
    '(?:ignore|disregard|forget|override|bypass)',
    '(?:(?:all|any|every|of|the|your|my|these|those|previous|prior|above|earlier|preceding)[\\s,]{1,5}){1,5}(?:instructions?|prompts?|rules|guidelines|directions|context)',
  ),
  phrase(
    '(?:reveal|show|print|repeat|output|leak)',
    '(?:me[\\s]{1,5})?(?:the|your)',
    '(?:(?:hidden|secret|initial|original|full)[\\s]{1,5}){0,2}(?:system[\\s]{1,5})?(?:prompt|instructions)',
  ),
  phrase('you', 'are', 'now', '(?:in[\\s]{1,5})?(?:dan|developer[\\s]{1,5}mode|jailbroken|unrestricted|unfiltered)'),
  phrase(
    '(?:act|behave|respond)',
    '(?:as[\\s]{1,5}(?:if|though)[\\s]{1,5}you|like[\\s]{1,5}you)',
    '(?:have|had)',
    'no',
    '(?:rules|restrictions|guidelines|filters|limits)',
  ),
  phrase(
    'pretend',
    '(?:that[\\s]{1,5})?you',
    '(?:have|are|were)',
    '(?:no[\\s]{1,5}(?:rules|restrictions|limits)|unrestricted|unfiltered)',
  ),
  phrase('(?:enable|enter|activate)', '(?:developer|dan|god|jailbreak)', 'mode'),
  /<\|(?:im_start|im_end|system|endoftext)\|>/gi,
  /^[ \t]{0,10}(?:#{1,6}[ \t]{0,5})?(?:system|new instructions)[ \t]{0,5}:/gim,
];

const wordList = (mostCharacters: number, mostWords: number): z.ZodDefault<z.ZodArray<z.ZodString>> =>
  z.array(z.string().max(mostCharacters)).max(mostWords).default([]);
const lengthLimit = z.number().int().min(0).max(10_000_000).optional();

export const KINDS = {
  pii: defineKind(
    z.looseObject({ types: z.array(z.enum(PII_TYPES as [PiiType, ...PiiType[]])).default(PII_TYPES) }),
    (text, { types }) => findPii(text, types),
  ),
  secrets: defineKind(z.looseObject({}), (text) => SECRETS.flatMap((pattern) => findSpans(text, pattern))),
  profanity: defineKind(
    z.looseObject({ words: wordList(100, 500), allow: wordList(100, 500) }),
    (text, { words, allow }) => {
      const allowed = new Set(allow.map((word) => word.toLowerCase()));
      return findWords(
        text,
        [...PROFANITIES, ...words].filter((word) => !allowed.has(word.toLowerCase())),
      );
    },
  ),
  'prompt-injection': defineKind(z.looseObject({ phrases: wordList(200, 200) }), (text, { phrases }) => [
    ...INJECTIONS.flatMap((pattern) => findSpans(text, pattern)),
    ...findWords(text, phrases),
  ]),
  topic,
  regex: defineKind(
    z
      .looseObject({
        pattern: z.string().max(1_000).default(''),
        flags: z
          .string()
          .regex(/^[imsuv]{0,5}$/, 'takes i, m, s, u and v')
          .default(''),
      })
      .refine(({ pattern, flags }) => isRegExp(pattern, flags), {
        path: ['pattern'],
        message: 'is not a valid regular expression',
      }),
    (text, { pattern, flags }) => (pattern === '' ? [] : findSpans(text, new RegExp(pattern, `${flags}g`))),
  ),
  // `words` is another name for `keywords`.
  keyword: defineKind(
    z.looseObject({
      keywords: wordList(200, 500),
      words: wordList(200, 500),
      caseSensitive: z.boolean().default(false),
      wholeWord: z.boolean().default(true),
    }),
    (text, { keywords, words, caseSensitive, wholeWord }) =>
      findWords(text, [...keywords, ...words], { caseSensitive, wholeWord }),
  ),
  // Too long: the match is everything past the limit. Too short: the whole text.
  length: defineKind(
    z
      .looseObject({
        min: lengthLimit,
        max: lengthLimit,
        unit: z.enum(['characters', 'words']).default('characters'),
      })
      .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
        path: ['min'],
        message: 'must not be more than max',
      }),
    (text, { min, max, unit }) => {
      const starts = unit === 'words' ? Array.from(text.matchAll(/\S+/g), ({ index }) => index) : characterStarts(text);
      const over = max === undefined ? undefined : starts[max];
      if (over !== undefined) return [{ start: over, end: text.length }];
      return min !== undefined && starts.length < min ? [{ start: 0, end: text.length }] : [];
    },
  ),
  'json-schema': jsonSchema,
} as const satisfies Record<GuardrailKind, KindRow>;

/** A match inside one of an earlier type does not count: a card number is not a phone number. */
function findPii(text: string, types: readonly PiiType[]): Span[] {
  const found: Span[] = [];
  for (const type of PII_TYPES.filter((one) => types.includes(one))) {
    const before = [...found];
    found.push(
      ...PII_FINDERS[type](text).filter(
        (span) => !before.some((other) => span.start < other.end && other.start < span.end),
      ),
    );
  }
  return found;
}

function digits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Nine to fifteen digits, not grouped like a social security number. */
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

function isRegExp(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Code points, because that is what people count as characters. */
function characterStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) starts.push(at);
  return starts;
}
