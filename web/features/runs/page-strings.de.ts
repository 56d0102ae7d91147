import type { Translated } from '../../language/language.ts';
import type * as english from './page-strings.ts';

export const german = {
  runPageStrings: {
    start: 'Lauf starten',
    pages: 'Läufe und was sie startet',
    recipes: 'Rezepte',
    environments: 'Umgebungen',
    schedules: 'Zeitpläne',
    triggers: 'Auslöser',
    subscriptions: 'Abonnements',
  },
} as const satisfies Translated<typeof english>;
