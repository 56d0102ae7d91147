import type { Translated } from '../../language/language.ts';
import { plural } from '../../language/format.ts';
import type * as english from './strings.ts';

export const german = {
  referenceStrings: {
    title: 'HTTP-Schnittstelle',
    description: 'Alle Routen dieses Dienstes, auch als OpenAPI 3.1. Die Beschreibungen sind auf Englisch.',
    openApi: 'openapi.json',
    search: 'Routen suchen',
    placeholder: 'Zum Beispiel: POST chat',
    subjects: 'Themen',
    count: (routes) => plural(routes, { one: '# Route', other: '# Routen' }),
    nothing: 'Keine passenden Routen.',
    failed: 'Die Referenz konnte nicht geladen werden.',
    caller: 'Aufrufer',
    anyone: 'Alle. Es ist kein Token nötig.',
    parameters: 'Parameter',
    body: 'Anfrage',
    answer: 'Antwort',
    otherwise: 'jeder andere Status',
    field: 'Feld',
    where: 'Ort',
    type: 'Typ',
    meaning: 'Bedeutung',
    required: 'erforderlich',
    link: (route) => `Link zu ${route}`,
  },
} as const satisfies Translated<typeof english>;
