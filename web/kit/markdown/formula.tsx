import { type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { createLoader } from '../use-loaded.ts';

const useRenderer = createLoader(async () => {
  const renderer = await import('./render-formula.ts');
  await renderer.loadFormulaFonts();
  return renderer;
});

interface FormulaProps {
  value: string;
  /** With its delimiters, shown if it is no formula. */
  source: string;
  display: boolean;
  /** Still being written; nothing is shown yet. */
  open?: boolean;
}

export function Formula({ value, source, display, open = false }: FormulaProps): ReactElement {
  const renderer = useRenderer();
  const place = useRef<HTMLSpanElement>(null);
  const [failed, setFailed] = useState<string>();
  const isPlain = renderer === 'failed' || failed === value;
  useLayoutEffect(() => {
    if (open || isPlain || typeof renderer !== 'object' || place.current === null) return;
    if (renderer.renderFormula(place.current, value, display)) renderer.hideUntilFonts(place.current);
    else setFailed(value);
  }, [renderer, value, display, open, isPlain]);
  if (isPlain && !open)
    return (
      <code className="formula-source" dir="ltr">
        {source}
      </code>
    );
  // The renderer fills it; React gives it no children.
  return (
    <span
      ref={place}
      dir="ltr"
      className={display ? 'formula formula-block' : 'formula'}
      aria-busy={open || undefined}
    />
  );
}
