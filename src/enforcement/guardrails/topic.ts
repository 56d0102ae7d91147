// A text is about a topic if enough of the topic's terms occur in it; each occurrence is then a match.
import { z } from 'zod';
import { findWords } from './find-words.ts';
import { defineKind } from './kind-row.ts';

const TERMS: Readonly<Record<string, readonly string[]>> = {
  politics: [
    'politics',
    'political',
    'politician',
    'election',
    'elections',
    'vote',
    'voting',
    'ballot',
    'president',
    'prime minister',
    'parliament',
    'congress',
    'senate',
    'senator',
    'political party',
    'campaign',
    'referendum',
  ],
  religion: [
    'religion',
    'religious',
    'church',
    'mosque',
    'synagogue',
    'temple',
    'bible',
    'quran',
    'torah',
    'prayer',
    'worship',
    'god',
    'faith',
    'priest',
    'imam',
    'rabbi',
  ],
  medical: [
    'medical',
    'diagnosis',
    'diagnose',
    'symptom',
    'symptoms',
    'prescription',
    'dosage',
    'medication',
    'disease',
    'treatment',
    'doctor',
    'patient',
    'surgery',
    'vaccine',
  ],
  legal: [
    'legal advice',
    'lawsuit',
    'lawyer',
    'attorney',
    'litigation',
    'court',
    'judge',
    'contract',
    'liability',
    'sue',
    'statute',
  ],
  finance: [
    'investment',
    'investing',
    'stock',
    'stocks',
    'shares',
    'portfolio',
    'bond',
    'bonds',
    'crypto',
    'cryptocurrency',
    'bitcoin',
    'dividend',
    'mortgage',
    'loan',
    'trading',
  ],
  violence: [
    'violence',
    'violent',
    'kill',
    'killing',
    'murder',
    'weapon',
    'weapons',
    'gun',
    'bomb',
    'attack',
    'assault',
    'shooting',
    'stab',
  ],
  gambling: [
    'gambling',
    'gamble',
    'casino',
    'bet',
    'betting',
    'poker',
    'roulette',
    'slot machine',
    'lottery',
    'jackpot',
  ],
  drugs: ['drugs', 'cocaine', 'heroin', 'cannabis', 'marijuana', 'methamphetamine', 'opioid', 'overdose'],
};

const terms = z.array(z.string().max(100)).max(500);
/** A topic by name, or a name with its own terms. An unknown name matches itself. */
const topicConfig = z.union([
  z.string().min(1).max(100),
  z.looseObject({ name: z.string().min(1).max(100), terms: terms.default([]) }),
]);

export const topic = defineKind(
  z.looseObject({
    topics: z.array(topicConfig).max(50).default([]),
    minHits: z.number().int().min(1).max(100).default(1),
  }),
  (text, { topics, minHits }) =>
    topics.flatMap((given) => {
      const spans = findWords(text, termsOf(given));
      return spans.length >= minHits ? spans : [];
    }),
);

function termsOf(given: z.output<typeof topicConfig>): readonly string[] {
  if (typeof given !== 'string' && given.terms.length > 0) return given.terms;
  const name = (typeof given === 'string' ? given : given.name).trim();
  return (Object.hasOwn(TERMS, name.toLowerCase()) ? TERMS[name.toLowerCase()] : undefined) ?? [name];
}
