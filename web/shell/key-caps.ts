// Keys as they are printed on the keyboard.
import { KEYS, type KeyName } from '../kit/keys/key-table.ts';
import { parseStep } from '../kit/keys/read-key.ts';
import { isApple } from '../kit/keys/use-keys.ts';
import { shell } from './strings.ts';

const { caps } = shell;

/** The keys of each way to do it: steps one after the other, each with what is held and pressed together. */
export function capsOf(name: KeyName): readonly (readonly (readonly string[])[])[] {
  return KEYS[name].on.map((combination) => combination.split(' ').map(capsOfStep));
}

function capsOfStep(text: string): readonly string[] {
  const { key, mod, alt, shift } = parseStep(text);
  return [
    ...(mod ? [isApple ? '⌘' : caps.control] : []),
    ...(alt ? [isApple ? '⌥' : 'Alt'] : []),
    ...(shift ? [isApple ? '⇧' : caps.shift] : []),
    NAMED[key] ?? (mod || alt ? key.toUpperCase() : key),
  ];
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
