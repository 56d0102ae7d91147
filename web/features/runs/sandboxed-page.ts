// HTML that a run wrote, for a frame that may do nothing: no scripts, no forms, no origin (an empty `sandbox`), and a policy
// that comes first in the document and lets it load nothing from the network. Styles and images inside the file show.
// Neither keeps a document from leaving for another address, so what could send it there is taken out first.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'";

const LEAVING = 'meta, base, link, iframe, frame, object, embed, portal';

/** The document for `srcdoc`. The policy stands before everything that the run wrote, so nothing can precede it. */
export function sandboxedPage(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll(LEAVING)) element.remove();
  for (const link of parsed.querySelectorAll('[href], [*|href]')) {
    link.removeAttribute('href');
    link.removeAttribute('xlink:href');
  }
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">${parsed.documentElement.innerHTML}`;
}
