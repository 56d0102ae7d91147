// Mermaid, which is loaded with the first diagram. One diagram is drawn at a time, because its settings are global.
import mermaid from 'mermaid';

let turn: Promise<unknown> = Promise.resolve();
let count = 0;

/** The diagram as the address of an SVG image, or undefined if the source has an error. */
export function renderDiagram(source: string, scheme: 'light' | 'dark'): Promise<string | undefined> {
  const drawing = turn.then(() => draw(source, scheme));
  turn = drawing;
  return drawing;
}

async function draw(source: string, scheme: 'light' | 'dark'): Promise<string | undefined> {
  // Text is measured on the page, out of sight.
  const place = document.createElement('div');
  place.setAttribute('aria-hidden', 'true');
  place.style.cssText = 'position:fixed;inset:0 auto auto -10000px;width:800px;visibility:hidden';
  document.body.append(place);
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: scheme === 'dark' ? 'dark' : 'default',
      fontFamily: 'system-ui, sans-serif',
      // The default, ELK, is larger than all the rest together.
      layout: 'dagre',
      state: { layout: 'dagre' },
      // An image shows no HTML inside an SVG in every browser, and needs a size of its own.
      htmlLabels: false,
      flowchart: { htmlLabels: false, useMaxWidth: false },
      sequence: { useMaxWidth: false },
    });
    const { svg } = await mermaid.render(`diagram-${++count}`, source, place);
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withSize(svg))}`;
  } catch {
    return undefined;
  } finally {
    place.remove();
  }
}

/** An image without a width and a height of its own has none. */
function withSize(svg: string): string {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const root = parsed.documentElement;
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (width !== undefined && height !== undefined && width > 0 && height > 0) {
    root.setAttribute('width', String(Math.ceil(width)));
    root.setAttribute('height', String(Math.ceil(height)));
  }
  return new XMLSerializer().serializeToString(parsed);
}
