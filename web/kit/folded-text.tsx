import './folded-text.css';
import type { ReactElement } from 'react';

/** A long preformatted text, folded under a label. */
export function FoldedText({ label, text, open }: { label: string; text: string; open?: boolean }): ReactElement {
  return (
    <details className="folded-text" open={open}>
      <summary>{label}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled with the keyboard too */}
      <pre dir="auto" tabIndex={0}>
        {text}
      </pre>
    </details>
  );
}
