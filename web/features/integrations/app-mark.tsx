import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactElement } from 'react';
import { markColors, markLetters } from './mark.ts';

/** Loaded once, when the first app is shown. */
const logosQuery = {
  queryKey: ['app-logos'],
  queryFn: async () => (await import('virtual:app-logos')).logos,
  staleTime: Number.POSITIVE_INFINITY,
};

/** The maker's logo; for an app without one, its initials on a color of its own. */
export function AppMark({ id, name }: { id: string; name: string }): ReactElement {
  const { data: logos, isPending } = useQuery(logosQuery);
  const logo = logos?.[id];
  const { light, dark } = logo ?? markColors(id);
  return (
    <span
      className={isPending || logo ? 'app-mark app-logo' : 'app-mark'}
      aria-hidden="true"
      style={{ '--mark-light': light, '--mark-dark': dark } as CSSProperties}
    >
      {logo ? (
        <svg viewBox="0 0 24 24" width={20} height={20} fill="currentColor">
          <path d={logo.path} />
        </svg>
      ) : (
        !isPending && markLetters(name)
      )}
    </span>
  );
}
