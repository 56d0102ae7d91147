// Which row of the table a pressed key is.
import { KEYS, type KeyName } from './key-table.ts';

/** Of a keyboard event. */
export interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const SEQUENCE_MS = 1_200;

interface Step {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Each row with its combinations, and each of those as its steps. */
const ROWS = (Object.keys(KEYS) as KeyName[]).flatMap((name) =>
  KEYS[name].on.map((combination) => ({ name, steps: combination.split(' ').map(parseStep) })),
);

export function parseStep(text: string): Step {
  const parts = text.split('+');
  const has = (part: string): boolean => parts.includes(part);
  return { key: parts.at(-1) ?? '', mod: has('mod'), alt: has('alt'), shift: has('shift') };
}

/** Reads keys one after the other; `now` in milliseconds. */
export function createKeyReader(isApple: boolean): (pressed: Pressed, now: number) => KeyName | undefined {
  let before: { readonly pressed: Pressed; readonly at: number } | undefined;
  return (pressed, now) => {
    const last = before !== undefined && now - before.at < SEQUENCE_MS ? before.pressed : undefined;
    before = { pressed, at: now };
    return ROWS.find(({ steps: [first, second] }) => {
      if (first === undefined) return false;
      if (second === undefined) return isPressed(first, pressed, isApple);
      return last !== undefined && isPressed(first, last, isApple) && isPressed(second, pressed, isApple);
    })?.name;
  };
}

/** Whether it writes a character where one can be written. */
export function writes({ key, ctrlKey, metaKey, altKey }: Pressed): boolean {
  return !ctrlKey && !metaKey && !altKey && [...key].length === 1;
}

function isPressed({ key, mod, alt, shift }: Step, pressed: Pressed, isApple: boolean): boolean {
  const { ctrlKey, metaKey } = pressed;
  const [expected, other] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (expected !== mod || other || pressed.altKey !== alt) return false;
  // Which characters need Shift depends on the keyboard.
  if (!mod && !alt && /^[^a-z]$/.test(key)) return pressed.key === key;
  return pressed.shiftKey === shift && isKey(key, pressed);
}

/** By its character; by its place if a modifier has changed that. */
function isKey(key: string, pressed: Pressed): boolean {
  if (pressed.key.toLowerCase() === key.toLowerCase()) return true;
  if (key === '.') return pressed.code === 'Period';
  return /^[a-z]$/.test(key) && !/^[a-z]$/i.test(pressed.key) && pressed.code === `Key${key.toUpperCase()}`;
}
