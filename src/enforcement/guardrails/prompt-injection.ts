// Phrases with which a text tries to take over the model that reads it. A list of turns of speech, not a judgement.
import { z } from 'zod';
import { findWords } from './find-words.ts';
import { defineKind, findSpans } from './kind-row.ts';

const GAP = '[\\s,"\']{1,10}';
const phrase = (...parts: string[]): RegExp => new RegExp(`(?<!\\w)${parts.join(GAP)}(?!\\w)`, 'gi');

const PHRASES = [
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

export const promptInjection = defineKind(
  z.looseObject({ phrases: z.array(z.string().max(200)).max(200).default([]) }),
  (text, { phrases }) => [...PHRASES.flatMap((pattern) => findSpans(text, pattern)), ...findWords(text, phrases)],
);
