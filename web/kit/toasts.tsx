// Short notices about what just happened. They stand in the page's own layout, beside the navigation or above the page
// (`Toasts`), so that they never cover a control.
import { Notification } from '@mantine/core';
import { type ReactElement, useSyncExternalStore } from 'react';
import { readFault } from '../api/fault.ts';
import { common } from './strings.ts';

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly color: 'pine' | 'red';
}

const MOST = 3;
const DONE_MS = 4_000;
const FAULT_MS = 10_000;
const PROBLEM_MS = 15_000;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

export function toastDone(message: string): void {
  show({ message, color: 'pine' }, DONE_MS);
}

/** For changes without a form that could show the error. */
export function toastFault(error: unknown): void {
  show({ message: readFault(error).text, color: 'red' }, FAULT_MS);
}

export function toastProblem(message: string): void {
  show({ message, color: 'red' }, PROBLEM_MS);
}

function show(toast: Omit<Toast, 'id'>, forMs: number): void {
  const id = ++last;
  // Said again, it is the same notice with a new time.
  const others = toasts.filter(({ message }) => message !== toast.message);
  change([...others, { ...toast, id }].slice(-MOST));
  whenSeen(() => countDown(forMs, () => close(id)));
}

/** Someone who is in another window, such as that of an app being connected, finds it when they come back. */
function whenSeen(then: () => void): void {
  if (document.hasFocus()) then();
  else window.addEventListener('focus', then, { once: true });
}

/** Time that the person spends in another window does not count. The focus may also be in a frame of this page. */
function countDown(ms: number, then: () => void): void {
  const startedAt = performance.now();
  const counting = new AbortController();
  const timer = setTimeout(() => {
    counting.abort();
    then();
  }, ms);
  const pause = (): void => {
    if (document.hasFocus()) return;
    counting.abort();
    clearTimeout(timer);
    whenSeen(() => countDown(ms - (performance.now() - startedAt), then));
  };
  window.addEventListener('blur', pause, { signal: counting.signal });
}

function close(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(changed: readonly Toast[]): void {
  toasts = changed;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const current = (): readonly Toast[] => toasts;

const closeButtonProps = { 'aria-label': common.close };

/** Beside the navigation where that is always on the screen, otherwise above the page. */
export function Toasts({ place }: { place: 'rail' | 'top' }): ReactElement {
  const shown = useSyncExternalStore(subscribe, current, current);
  return (
    <div className={`toasts toasts-${place}`}>
      {shown.map(({ id, message, color }) => (
        <Notification key={id} color={color} closeButtonProps={closeButtonProps} onClose={() => close(id)}>
          {message}
        </Notification>
      ))}
    </div>
  );
}
