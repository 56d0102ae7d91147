import type { CSSProperties, ReactElement } from 'react';
import { markColors, markLetters } from './mark.ts';

/** An app's mark: its initials on a color of its own, not the maker's logo. */
export function AppMark({ id, name }: { id: string; name: string }): ReactElement {
  const { light, dark } = markColors(id);
  return (
    <span
      className="app-mark"
      aria-hidden="true"
      style={{ '--mark-light': light, '--mark-dark': dark } as CSSProperties}
    >
      {markLetters(name)}
    </span>
  );
}
