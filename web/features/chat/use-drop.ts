import { type DragEvent, useState } from 'react';

interface Drop {
  readonly dragging: boolean;
  onDragEnter(event: DragEvent): void;
  onDragOver(event: DragEvent): void;
  onDragLeave(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

/** Files dropped anywhere on the chat; text that is dragged goes where it always goes. */
export function useDrop(attach: (files: readonly File[]) => void): Drop {
  const [depth, setDepth] = useState(0);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  return {
    dragging: depth > 0,
    // Entering a child comes before leaving its parent: counting both tells when the last one is left.
    onDragEnter: (event) => {
      if (hasFiles(event)) setDepth((before) => before + 1);
    },
    onDragLeave: (event) => {
      if (hasFiles(event)) setDepth((before) => Math.max(0, before - 1));
    },
    onDragOver: (event) => {
      if (hasFiles(event)) event.preventDefault();
    },
    onDrop: (event) => {
      setDepth(0);
      if (!hasFiles(event)) return;
      event.preventDefault();
      attach([...event.dataTransfer.files]);
    },
  };
}
