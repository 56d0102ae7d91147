import { shell } from './strings.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The modifier key of shortcuts, as printed on the keyboard. */
export const MOD_KEY = isApple ? '⌘' : shell.control;
