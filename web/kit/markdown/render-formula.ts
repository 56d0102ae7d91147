// KaTeX, which is loaded with the first formula. It builds elements itself, so no markup of a model is ever parsed, and
// commands that would make links, load images or set attributes are off.
import 'katex/dist/katex.min.css';
import katex from 'katex';

/** Sizes in em, so that a formula cannot cover the page. */
const LARGEST_EM = 20;
const MOST_EXPANSIONS = 500;

/** Whether it is a formula; otherwise the place is left empty. */
export function renderFormula(place: HTMLElement, value: string, display: boolean): boolean {
  try {
    katex.render(value, place, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxSize: LARGEST_EM,
      maxExpand: MOST_EXPANSIONS,
    });
    return true;
  } catch {
    place.replaceChildren();
    return false;
  }
}
