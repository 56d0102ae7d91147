import { inLanguage } from '../../language/language.ts';
import { german } from './strings.de.ts';

const markdownEnglish = {
  footnote: (number: number): string => `Footnote ${number}`,
  footnotes: 'Footnotes',
  done: 'Done',
  notDone: 'Not done',
  backToText: (number: number): string => `Back to the text of footnote ${number}`,
  diagram: 'Diagram',
  diagramOf: (kind: string): string => `Diagram: ${kind}. Show the source to read it as text.`,
  showSource: 'Show source',
  showDiagram: 'Show diagram',
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  markdownStrings: markdownEnglish,
};

export const { markdownStrings } = inLanguage(english, german);
