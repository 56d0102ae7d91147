import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  markdownStrings: {
    footnote: (number) => `Fußnote ${number}`,
    footnotes: 'Fußnoten',
    done: 'Erledigt',
    notDone: 'Nicht erledigt',
    backToText: (number) => `Zurück zum Text der Fußnote ${number}`,
    diagram: 'Diagramm',
    diagramOf: (kind) => `Diagramm: ${kind}. Blenden Sie den Quelltext ein, um es als Text zu lesen.`,
    showSource: 'Quelltext zeigen',
    showDiagram: 'Diagramm zeigen',
  },
} as const satisfies Translated<typeof english>;
