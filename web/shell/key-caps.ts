// Keys as they are printed on the keyboard.
import { isApple } from '../kit/keys/is-apple.ts';
import { KEYS, type KeyName } from '../kit/keys/key-table.ts';
import { parseStep } from '../kit/keys/read-key.ts';
import { shell } from './strings.ts';

const { caps } = shell;

/** The keys of each way to do it: steps one after the other, each with what is held and pressed together. */
export function capsOf(name: KeyName, apple: boolean = isApple): readonly (readonly (readonly string[])[])[] {
  return KEYS[name].on.map((combination) => combination.split(' ').map((step) => capsOfStep(step, apple)));
}

function capsOfStep(text: string, apple: boolean): readonly string[] {
  const { key, mod, alt, shift } = parseStep(text);
  const name = NAMED[key] ?? (mod || alt ? key.toUpperCase() : key);
  // Apple prints what is held in another order.
  const held = apple
    ? [alt && '⌥', shift && '⇧', mod && '⌘']
    : [mod && caps.control, alt && 'Alt', shift && caps.shift];
  return [...held.filter((cap) => cap !== false), name];
}

const NAMED: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowRight: '→',
  Home: caps.home,
  End: caps.end,
  PageUp: caps.pageUp,
  PageDown: caps.pageDown,
  ContextMenu: caps.menu,
};
