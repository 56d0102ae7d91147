import { formatNumber, plural } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

const ONE_PER_LINE = 'Eines pro Zeile.';

export const german = {
  guardrailStrings: {
    title: 'Leitplanken',
    description:
      'Versionierte Gruppen von Regeln, die unerwünschte Inhalte erkennen. Schreiben Sie sie und testen Sie sie an Beispieltext.',
    note: 'Leitplanken werden nicht auf laufende Anfragen angewendet. Eine Chatanfrage, auf die eine Regel zutrifft, wird beantwortet wie jede andere.',
    create: 'Neue Gruppe',
    createTitle: 'Neue Gruppe von Leitplanken',
    createSubmit: 'Gruppe anlegen',
    created: (name) => `Gruppe „${name}“ angelegt.`,
    list: 'Gruppen von Leitplanken',
    empty: 'Noch keine Gruppen',
    emptyText:
      'Eine Gruppe hat eine oder mehrere Regeln. Es gibt neun Arten, von personenbezogenen Daten bis JSON Schema.',
    name: 'Name der Gruppe',
    rules: 'Regeln',
    rule: (at) => `Regel ${at}`,
    ruleFault: (at, fault) => `Regel ${at}: ${fault}`,
    kind: 'Art',
    addRule: 'Regel hinzufügen',
    removeRule: 'Regel entfernen',
    noConfig: 'Diese Art hat keine Einstellungen.',
    standard: 'Standardeinstellungen',
    rulesCount: (count) => plural(count, { one: '# Regel', other: '# Regeln' }),
    version: (version) => `Version ${version}`,
    latest: 'Neueste',
    versions: 'Versionen',
    versionsText: 'Gespeicherte Versionen ändern sich nie.',
    edit: 'Neue Version',
    editTitle: (version) => `Neue Version auf Grundlage von Version ${version}`,
    editSubmit: 'Neue Version speichern',
    edited: (version) => `Version ${version} gespeichert.`,
    notFound: 'Gruppe nicht gefunden',
    notFoundText: 'Diese Gruppe oder Version gibt es in dieser Organisation nicht.',
    loadFailed: 'Diese Gruppe konnte nicht geladen werden.',
    back: 'Alle Leitplanken',
    yes: 'ja',
    no: 'nein',
    notJson: 'Das ist kein gültiges JSON.',
    test: {
      title: 'An Beispieltext testen',
      text: (version) => `Testet Version ${version}. Der Text wird nicht gespeichert.`,
      sample: 'Beispieltext',
      submit: 'Testen',
      none: 'Keine Treffer.',
      found: (count) => plural(count, { one: '# Treffer', other: '# Treffer' }),
      result: 'Text mit markierten Treffern',
      matches: 'Treffer',
      position: (start, end) => `Zeichen ${start} bis ${end}`,
      more: (count) => `und ${formatNumber(count)} weitere`,
    },
  },
  guardrailKinds: {
    pii: {
      name: 'Personenbezogene Daten',
      text: 'E-Mail-Adressen, Telefonnummern, Zahlungskarten, IBANs, US-Sozialversicherungsnummern und IP-Adressen.',
    },
    secrets: {
      name: 'Geheimnisse',
      text: 'API-Schlüssel, Tokens, private Schlüssel und Werte, die Namen wie „password“ zugewiesen sind.',
    },
    profanity: { name: 'Schimpfwörter', text: 'Wörter aus einer englischen Liste.' },
    'prompt-injection': {
      name: 'Prompt Injection',
      text: 'Formulierungen, die die Anweisungen des Modells außer Kraft setzen sollen.',
    },
    topic: { name: 'Thema', text: 'Begriffe zu einem Thema.' },
    regex: { name: 'Regulärer Ausdruck', text: 'Treffer eines regulären Ausdrucks in JavaScript.' },
    keyword: { name: 'Stichwort', text: 'Wörter und Wendungen.' },
    length: { name: 'Länge', text: 'Text, der zu lang oder zu kurz ist.' },
    'json-schema': { name: 'JSON Schema', text: 'Text, der kein JSON ist oder nicht zu einem Schema passt.' },
  },
  guardrailFieldTexts: {
    pii: {
      types: {
        label: 'Arten von Daten',
        options: {
          email: 'E-Mail-Adressen',
          phone: 'Telefonnummern',
          'credit-card': 'Zahlungskarten',
          iban: 'IBANs',
          ssn: 'US-Sozialversicherungsnummern',
          'ip-address': 'IP-Adressen',
        },
      },
    },
    secrets: {},
    profanity: {
      words: { label: 'Zusätzliche Wörter', hint: ONE_PER_LINE },
      allow: { label: 'Erlaubte Wörter', hint: ONE_PER_LINE },
    },
    'prompt-injection': { phrases: { label: 'Zusätzliche Formulierungen', hint: 'Eine pro Zeile.' } },
    topic: {
      topics: {
        label: 'Themen',
        hint: 'Eines pro Zeile: politics, religion, medical, legal, finance, violence, gambling, drugs, ein anderes Wort oder ein eigenes Thema mit seinen Begriffen, zum Beispiel tee: oolong, grüner tee',
      },
      minHits: { label: 'Mindestzahl der Begriffe' },
    },
    regex: {
      pattern: { label: 'Muster' },
      flags: { label: 'Schalter', hint: 'Beliebige aus i, m, s, u, v.' },
    },
    keyword: {
      keywords: { label: 'Stichwörter', hint: ONE_PER_LINE },
      caseSensitive: { label: 'Groß- und Kleinschreibung beachten' },
      wholeWord: { label: 'Nur ganze Wörter' },
    },
    length: {
      min: { label: 'Mindestens' },
      max: { label: 'Höchstens' },
      unit: { label: 'Einheit', options: { characters: 'Zeichen', words: 'Wörter' } },
    },
    'json-schema': {
      schema: {
        label: 'Schema',
        hint: 'JSON Schema 2020-12, ohne pattern, patternProperties, uniqueItems und Verweise.',
      },
    },
  },
} as const satisfies Translated<typeof english>;
