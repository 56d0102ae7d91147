import { notifications } from '@mantine/notifications';
import { readFault } from '../api/fault.ts';
import { common } from './strings.ts';

const closeButtonProps = { 'aria-label': common.close };

export function toastDone(message: string): void {
  notifications.show({ message, color: 'pine', closeButtonProps });
}

/** For changes without a form that could show the error. */
export function toastFault(error: unknown): void {
  notifications.show({ message: readFault(error).text, color: 'red', autoClose: 10_000, closeButtonProps });
}

export function toastProblem(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 15_000, closeButtonProps });
}
