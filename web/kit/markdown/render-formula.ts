// KaTeX, which is loaded with the first formula. It builds elements itself, so no markup of a model is ever parsed, and
// commands that would make links, load images or set attributes are off.
import 'katex/dist/katex.min.css';
import katex from 'katex';

/** Sizes in em, so that a formula cannot cover the page. */
const LARGEST_EM = 20;
const MOST_EXPANSIONS = 500;

/** What almost every formula is set in. */
const COMMON_FONTS = ['1em KaTeX_Main', 'italic 1em KaTeX_Math', '1em KaTeX_Size1', '1em KaTeX_Size2'];
/** After this a formula is shown in whatever fonts there are, as a browser does with text. */
const LONGEST_WAIT_MS = 3_000;

/** Formulas wait for these, so that none is drawn first in fonts that are not its own. */
export async function loadFormulaFonts(): Promise<void> {
  await orSoon(Promise.allSettled(COMMON_FONTS.map((font) => document.fonts.load(font))));
}

/** Keeps the place of a formula with rarer signs, and shows it once their fonts are there. */
export function hideUntilFonts(place: HTMLElement): void {
  requestAnimationFrame(() => {
    // Fonts are asked for when the layout needs them.
    void place.offsetWidth;
    if (document.fonts.status === 'loaded') return;
    place.style.visibility = 'hidden';
    void showOnceReady(place);
  });
}

async function showOnceReady(place: HTMLElement): Promise<void> {
  await orSoon(document.fonts.ready);
  place.style.visibility = '';
}

async function orSoon(loaded: Promise<unknown>): Promise<void> {
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]);
}

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
