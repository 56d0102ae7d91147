import { useEffect, useEffectEvent, useState } from 'react';

type Attach = (files: readonly File[]) => void;

/**
 * Attaches files that are dropped or pasted anywhere on the page, and says whether some are being dragged over it.
 * Dragged text and what is pasted into a field keep their default behavior.
 */
export function useDrop(attach: Attach): boolean {
  const [depth, setDepth] = useState(0);
  const take = useEffectEvent(attach);
  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    // dragenter of a child comes before dragleave of its parent, so both are counted.
    const count = (event: DragEvent, step: number): void => {
      if (hasFiles(event)) setDepth((before) => Math.max(0, before + step));
    };
    window.addEventListener('dragenter', (event) => count(event, 1), options);
    window.addEventListener('dragleave', (event) => count(event, -1), options);
    window.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), options);
    window.addEventListener(
      'drop',
      (event) => {
        setDepth(0);
        if (!hasFiles(event)) return;
        // Otherwise the browser would leave the page for the file.
        event.preventDefault();
        take([...(event.dataTransfer?.files ?? [])]);
      },
      options,
    );
    window.addEventListener(
      'paste',
      (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (event.defaultPrevented || files.length === 0 || isField(event.target)) return;
        event.preventDefault();
        take(files);
      },
      options,
    );
    return () => stop.abort();
  }, []);
  return depth > 0;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [contenteditable="true"]') !== null;
}
