import type { ReactElement, ReactNode } from 'react';

interface FactProps {
  name: string;
  /** Takes a row of its own. */
  isWide?: boolean;
  children: ReactNode;
}

/** A row of a list of facts (`dl`). */
export function Fact({ name, isWide = false, children }: FactProps): ReactElement {
  return (
    <div data-wide={isWide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
