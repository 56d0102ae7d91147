import { formatNumber } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  planStrings: {
    title: 'Tarif und Nutzung',
    description:
      'Was Ihr Tarif enthält, was noch übrig ist und was verbraucht wurde. Ein Tarif legt Plätze, Guthaben und Budget fest; jeder Tarif hat alle Funktionen. Ihr Betreiber kann ihn ändern.',
    loadFailed: 'Die Nutzung dieser Organisation konnte nicht geladen werden.',
    plan: 'Tarif',
    seats: 'Plätze',
    seatsValue: (used, capacity) => `${used} von ${capacity}`,
    seatsText: 'Jedes Mitglied belegt einen. Offene Einladungen belegen keinen.',
    credit: 'Startguthaben',
    budget: 'Platzbudget',
    leftOf: (remaining, granted) => `${remaining} von ${granted} übrig`,
    creditText: 'Einmalig gewährt.',
    budgetText: 'Für diesen Kalendermonat, UTC.',
    noBudget: 'Nicht in diesem Tarif',
    noCredit: 'Keines',
    storage: 'Speicher',
    storageValue: (used, limit) => `${used} von ${limit}`,
    storageText: 'Anhänge und Dateien aus Läufen.',
    reserved: 'Reserviert',
    reservedText: 'Zurückgehalten für laufende Anfragen.',
    spent: 'Ausgegeben',
    spentText: 'Alles bisherige Guthaben und das Platzbudget dieses Monats.',
    usage: 'Nutzung pro Tag',
    range: 'Zeitraum',
    ranges: { '7': '7\u00a0Tage', '31': '31\u00a0Tage', '90': '90\u00a0Tage' },
    metric: 'Diagramm zeigt',
    metrics: { cost: 'Kosten', requests: 'Anfragen', tokens: 'Tokens' },
    empty: 'Keine Nutzung in diesem Zeitraum',
    emptyText: 'Anfragen an Modelle erscheinen hier am Tag der Anfrage, gleich wer bezahlt.',
    chart: (metric, total, highest, date) =>
      `${metric} pro Tag. Summe ${total}. Höchster Wert: ${highest} am ${date}. Die Tabelle darunter enthält alle Werte.`,
    total: (total) => `Summe ${total}`,
    bar: (date, value) => `${date}: ${value}`,
    table: 'Nutzung nach Tag, Modell und Zahlungsart',
    columns: {
      date: 'Tag',
      model: 'Modell, Anbieter, bezahlt über',
      requests: 'Anfragen',
      cost: 'Kosten',
      inputTokens: 'Tokens ein',
      outputTokens: 'Tokens aus',
    },
    credentials: { 'models-account': 'Modellkonto', 'own-key': 'Eigener Schlüssel', platform: 'Plattformguthaben' },
    more: (count) => `Alle ${formatNumber(count)} Zeilen zeigen`,
  },
} as const satisfies Translated<typeof english>;
