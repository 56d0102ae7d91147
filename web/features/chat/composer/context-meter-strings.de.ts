import { formatNumber, plural } from '../../../language/format.ts';
import type { Translated } from '../../../language/language.ts';
import type * as english from './context-meter-strings.ts';

export const german = {
  meterStrings: {
    label: 'Kontext und Kosten der nächsten Nachricht:',
    percent: (percent) => `${percent} %`,
    underOne: '< 1 %',
    about: (cost) => `ca. ${cost}`,
    used: (tokens, of) => `Etwa ${formatNumber(tokens)} von ${formatNumber(of)} Token`,
    window: (window) => `Das Modell nimmt ${window} Token an. Ein Teil davon bleibt für die Antwort frei.`,
    smallest: (model) =>
      `Jedes Modell dieser Route kann antworten. Deshalb zählt ${model}, das den kleinsten Kontext hat.`,
    parts: {
      instructions: 'Anweisungen',
      files: 'Projektdateien',
      history: 'Unterhaltung',
      draft: 'Ihr Entwurf',
      attachments: 'Anhänge',
    },
    cost: (cost) => `Voraussichtliche Kosten: ${cost}`,
    costText: (input, output) =>
      `Geschätzt: ${formatNumber(input)} Token Eingabe und eine Antwort von ${formatNumber(output)} Token.`,
    cached: (tokens) =>
      `${formatNumber(tokens)} Token der Eingabe kommen wie beim letzten Mal aus dem Cache des Anbieters.`,
    at: (name) => `Mehrere können antworten. Der Preis ist der von ${name}.`,
    ownKey: 'Ihr eigener Anbieterschlüssel bezahlt. Der Betrag ist der Listenpreis.',
    demo: 'Demomodelle kosten nichts.',
    unknown: 'Der Preis dieses Modells ist hier nicht bekannt.',
    near: 'Fast voll. Wenn der Kontext voll ist, werden die ältesten Nachrichten nicht mehr an das Modell gesendet.',
    cuts: 'Die Unterhaltung und diese Nachricht passen nicht in den Kontext. Die ältesten Nachrichten werden nicht an das Modell gesendet.',
    leftOut: (count) =>
      plural(count, {
        one: 'Die Unterhaltung passt nicht in den Kontext. Die älteste Nachricht wird nicht mehr an das Modell gesendet.',
        other:
          'Die Unterhaltung passt nicht in den Kontext. Die ältesten # Nachrichten werden nicht mehr an das Modell gesendet.',
      }),
    tooLong: 'Diese Nachricht ist länger als der Kontext des Modells, das sie wahrscheinlich ablehnt.',
    changeTo: (model, window) => `${model} verwenden (${window} Token)`,
    summarize: 'Um eine Zusammenfassung für einen neuen Chat bitten',
    summaryPrompt:
      'Fasse diese Unterhaltung so zusammen, dass ich sie in einem neuen Chat fortsetzen kann: das Ziel, was entschieden wurde, was noch offen ist, und jede Einzelheit, die für die nächsten Schritte nötig ist.',
  },
} satisfies Translated<typeof english>;
