import { type RefObject, useEffect, useRef, useState } from 'react';
import { common } from './strings.ts';
import { copyText, selectContents } from './copy-text.ts';
import { toastProblem } from './toasts.tsx';

const SAY_FOR_MS = 2_000;
/** As much as fits in a toast. */
const LONGEST_SHOWN = 400;

/** Copies and confirms it; if copying is blocked, selects the text in `source` and says how to copy it. */
export function useCopy(value: string, source?: RefObject<Element | null>): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = async (): Promise<void> => {
    const done = await copyText(value);
    clearTimeout(timer.current);
    setCopied(done);
    if (done) timer.current = setTimeout(() => setCopied(false), SAY_FOR_MS);
    else if (source?.current) {
      selectContents(source.current);
      toastProblem(common.copySelected);
    } else toastProblem(value.length > LONGEST_SHOWN ? common.copyFailed : common.copyThis(value));
  };
  return { copied, copy: () => void run() };
}
