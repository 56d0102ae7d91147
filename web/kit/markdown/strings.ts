import { inLanguage } from '../../language/language.ts';

export const markdownStrings = inLanguage('markdownStrings', {
  footnote: (number: number): string => `Footnote ${number}`,
  footnotes: 'Footnotes',
  done: 'Done',
  notDone: 'Not done',
  backToText: (number: number): string => `Back to the text of footnote ${number}`,
  diagram: 'Diagram',
  diagramOf: (kind: string): string => `Diagram: ${kind}. Show the source to read it as text.`,
  showSource: 'Show source',
  showDiagram: 'Show diagram',
});
