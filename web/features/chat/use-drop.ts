import { type DragEvent, useState } from 'react';

interface Drop {
  readonly dragging: boolean;
  onDragEnter(event: DragEvent): void;
  onDragOver(event: DragEvent): void;
  onDragLeave(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

/** Handles files dropped anywhere on the chat; dragged text keeps its default behavior. */
export function useDrop(attach: (files: readonly File[]) => void): Drop {
  const [depth, setDepth] = useState(0);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  return {
    dragging: depth > 0,
    // dragenter of a child comes before dragleave of its parent, so both are counted.
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
