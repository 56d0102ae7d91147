import { type ComponentType, type ReactElement, useEffect } from 'react';
import { toastFault } from './toasts.tsx';
import { createLoader } from './use-loaded.ts';

/** A component whose code is loaded when it is first shown. What could not be loaded is said, and tried again later. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactElement | null {
  const useComponent = createLoader(async () => ({ Component: await load() }));
  return function OnDemand(props) {
    const loaded = useComponent();
    useEffect(() => {
      if (loaded === 'failed') toastFault(undefined);
    }, [loaded]);
    return typeof loaded === 'object' ? <loaded.Component {...props} /> : null;
  };
}
