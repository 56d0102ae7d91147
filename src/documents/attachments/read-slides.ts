import { FileFault } from './file-fault.ts';
import { readRelations } from './read-relations.ts';
import type { Zip } from './read-zip.ts';
import { collectText, type ExtractedText, type TextCollector } from './text-collector.ts';
import { readAttribute, walkXml } from './walk-xml.ts';

const PRESENTATION = 'ppt/presentation.xml';

/** PPTX: slide by slide, each with the speaker's notes. */
export function readSlides(zip: Zip): ExtractedText {
  const slides = listSlides(zip);
  const text = collectText();
  let said = false;
  for (const [index, slide] of slides.entries()) {
    if (!text.open) break;
    const shown = readShapes(zip.read(slide));
    const notes = [...readRelations(zip, slide).values()].find(({ type }) => type === 'notesSlide');
    const spoken = notes ? readShapes(zip.read(notes.target)) : '';
    said ||= shown + spoken !== '';
    text.add(`## Slide ${index + 1}\n${shown}\n${spoken === '' ? '' : `Notes: ${spoken}\n`}\n`);
  }
  return { text: said ? text.read() : '', parts: { kind: 'slide', count: slides.length } };
}

function listSlides(zip: Zip): string[] {
  const presentation = zip.read(PRESENTATION);
  if (!presentation) throw new FileFault('damaged');
  const relations = readRelations(zip, PRESENTATION);
  const slides: string[] = [];
  walkXml(presentation, {
    open(name, attributes) {
      if (name !== 'sldId') return;
      const target = relations.get(readAttribute(attributes, 'r:id') ?? '')?.target;
      if (target !== undefined) slides.push(target);
    },
  });
  return slides;
}

function readShapes(xml: Buffer | undefined): string {
  const text = collectText();
  if (xml) walkShapes(xml, text);
  return text.read();
}

function walkShapes(xml: Buffer, text: TextCollector): void {
  let inText = false;
  let inNumber = false;
  let leftOut = 0;
  let cells = 0;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'Fallback') leftOut++;
      else if (name === 't') inText = true;
      // The number of the slide itself, which every page of notes repeats.
      else if (name === 'fld') inNumber = readAttribute(attributes, 'type') === 'slidenum';
      else if (name === 'br') text.add('\n');
      else if (name === 'tc') cells++;
    },
    close(name) {
      if (name === 'Fallback') leftOut--;
      else if (name === 't') inText = false;
      else if (name === 'fld') inNumber = false;
      else if (name === 'p') text.add(cells > 0 ? ' ' : '\n');
      else if (name === 'tr') text.add('\n');
      else if (name === 'tc') {
        cells--;
        text.add('\t');
      }
    },
    text(said) {
      if (inText && !inNumber && leftOut === 0) text.add(said);
    },
  });
}
