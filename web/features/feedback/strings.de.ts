import { FEEDBACK_LIMITS } from '../../../src/contract/feedback/feedback-limits.ts';
import { formatNumber } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  rateStrings: {
    up: 'Gute Antwort',
    down: 'Schlechte Antwort',
    reason: 'Was war daran gut oder schlecht? (freiwillig)',
    include: 'Diese Frage und Antwort mitschicken',
    includeHint:
      'Inhaber und Admins Ihrer Organisation sehen Ihre Bewertung, Ihren Grund, das Modell und Ihren Namen. Den Text des Chats sehen sie nur hiermit.',
    save: 'Speichern',
    saved: 'Danke für Ihre Bewertung',
    withdraw: 'Bewertung entfernen',
    withdrawn: 'Bewertung entfernt',
  },
  feedbackStrings: {
    title: 'Bewertungen',
    description:
      'Wie Mitglieder Antworten bewertet haben. Fragen und Antworten stehen nur da, wo die Person sie mitgeschickt hat.',
    rating: 'Bewertung',
    ratings: { all: 'Alle', up: 'Gut', down: 'Schlecht' },
    model: 'Modell',
    project: 'Projekt',
    any: 'Beliebig',
    period: 'Zeitraum',
    periods: { week: '7 Tage', month: '30 Tage', quarter: '90 Tage', all: 'Gesamt' },
    total: (up: string, down: string): string => `${up} gut, ${down} schlecht`,
    csv: 'CSV herunterladen',
    json: 'JSON herunterladen',
    cut: `Die Datei enthält höchstens die neuesten ${formatNumber(FEEDBACK_LIMITS.rows)} Bewertungen. Wählen Sie für die anderen einen kürzeren Zeitraum.`,
    list: 'Bewertungen',
    empty: 'Keine Bewertungen',
    emptyText: 'Hier stehen die Bewertungen, die Mitglieder Antworten in Chats geben.',
    noReason: 'Kein Grund angegeben',
    unknownModel: 'Hintergrundlauf',
    unknownProject: 'Privates oder gelöschtes Projekt',
    included: 'Frage und Antwort',
    question: 'Frage',
    answer: 'Antwort',
  },
} as const satisfies Translated<typeof english>;
