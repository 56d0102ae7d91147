import type { ReactElement } from 'react';
import { toastFault } from '../kit/toasts.tsx';
import { createLoader } from '../kit/use-loaded.ts';

const usePalette = createLoader(() => import('./command-palette.tsx'));

export async function togglePalette(): Promise<void> {
  const palette = await usePalette.load();
  if (typeof palette === 'object') palette.toggle();
  else toastFault(undefined);
}

/** Loaded when it is first opened, by its key or its button. */
export function PaletteOnDemand({ onHelp }: { onHelp: () => void }): ReactElement | null {
  const palette = usePalette(false);
  return typeof palette === 'object' ? <palette.CommandPalette onHelp={onHelp} /> : null;
}
