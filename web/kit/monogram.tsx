import type { ReactElement } from 'react';

export function Monogram({ name, quiet = false }: { name: string; quiet?: boolean }): ReactElement {
  return (
    <span className="monogram" aria-hidden="true" data-kind={quiet ? 'quiet' : 'strong'}>
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase() || '?';
}
