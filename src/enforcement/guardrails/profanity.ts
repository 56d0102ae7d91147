import { z } from 'zod';
import { findWords } from './find-words.ts';
import { defineKind } from './kind-row.ts';

/** A plain English list; an organization adds its own words and allows those it does not mind. */
const WORDS = [
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

const words = z.array(z.string().max(100)).max(500).default([]);

export const profanity = defineKind(z.looseObject({ words, allow: words }), (text, { words, allow }) => {
  const allowed = new Set(allow.map((word) => word.toLowerCase()));
  return findWords(
    text,
    [...WORDS, ...words].filter((word) => !allowed.has(word.toLowerCase())),
  );
});
