import { getDocumentProxy } from 'unpdf';
import type { FileParts } from '../../contract/attachments.ts';
import { FileFault } from './file-fault.ts';
import { collectText, type ExtractedText } from './text-collector.ts';

// The library then inflates by itself: what Node has for it is zlib, which a thread must not use (see `base/inflate.ts`).
Reflect.deleteProperty(globalThis, 'DecompressionStream');

/** The text of a PDF document, page by page, in the order in which it is drawn. Nothing is rendered. */
export async function readPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const document = await openDocument(bytes);
  const text = collectText();
  let said = false;
  for (let number = 1; number <= document.numPages && text.open; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const shown = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    if (shown.trim() !== '') {
      said = true;
      text.add(`## Page ${number}\n${shown}\n\n`);
    }
    page.cleanup();
  }
  return { text: said ? text.read() : '', parts: partsOf(document) };
}

export async function countPages(bytes: Uint8Array): Promise<ExtractedText> {
  return { text: '', parts: partsOf(await openDocument(bytes)) };
}

function partsOf({ numPages }: { readonly numPages: number }): FileParts {
  return { kind: 'page', count: numPages };
}

async function openDocument(bytes: Uint8Array): ReturnType<typeof getDocumentProxy> {
  try {
    return await getDocumentProxy(bytes, {
      enableXfa: false,
      useSystemFonts: false,
      disableFontFace: true,
      stopAtErrors: false,
      verbosity: 0,
    });
  } catch (error) {
    throw new FileFault(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged');
  }
}
