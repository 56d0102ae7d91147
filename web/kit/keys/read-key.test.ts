import { expect, it } from 'vitest';
import { KEYS } from './key-table.ts';
import { createKeyReader, type Pressed, writes } from './read-key.ts';

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});
const read = (pressed: Pressed, isApple = false): string | undefined => createKeyReader(isApple)(pressed, 0);

it('reads Ctrl, and on Apple’s systems ⌘ instead', () => {
  expect(read(press('k', { ctrlKey: true }))).toBe('palette');
  expect(read(press('k', { metaKey: true }))).toBeUndefined();
  expect(read(press('k', { metaKey: true }), true)).toBe('palette');
  expect(read(press('k', { ctrlKey: true }), true)).toBeUndefined();
  expect(read(press('k', { ctrlKey: true, shiftKey: true }))).toBeUndefined();
});

it('knows a letter by its place when ⌥ changes its character, and by its character otherwise', () => {
  const held = { metaKey: true, altKey: true };
  expect(read(press('ø', { ...held, code: 'KeyO' }), true)).toBe('newChat');
  expect(read(press('o', { ctrlKey: true, altKey: true, code: 'KeyS' }))).toBe('newChat');
  expect(read(press('r', { ctrlKey: true, altKey: true, code: 'KeyO' }))).toBeUndefined();
});

it('tells the dot from the dot with Shift, whatever character that is', () => {
  expect(read(press('.', { ctrlKey: true, code: 'Period' }))).toBe('foldNavigation');
  expect(read(press('>', { ctrlKey: true, shiftKey: true, code: 'Period' }))).toBe('foldChats');
  expect(read(press(':', { ctrlKey: true, shiftKey: true, code: 'Period' }))).toBe('foldChats');
});

it('takes a sign with or without Shift, as the keyboard has it', () => {
  expect(read(press('/'))).toBe('prompt');
  expect(read(press('/', { shiftKey: true }))).toBe('prompt');
  expect(read(press('?', { shiftKey: true }))).toBe('help');
  expect(read(press('?', { ctrlKey: true }))).toBeUndefined();
});

it('reads a sequence only in its order and time', () => {
  const reader = createKeyReader(false);
  expect([reader(press('g'), 0), reader(press('c'), 1_000)]).toEqual([undefined, 'chat']);
  expect([reader(press('g'), 2_000), reader(press('c'), 4_000)]).toEqual([undefined, undefined]);
  expect([reader(press('g'), 5_000), reader(press('x'), 5_100), reader(press('c'), 5_200)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('knows which keys write', () => {
  expect([press('a'), press('?', { shiftKey: true }), press('😀')].map(writes)).toEqual([true, true, true]);
  expect([press('Escape'), press('k', { ctrlKey: true }), press('PageUp', { altKey: true })].map(writes)).toEqual([
    false,
    false,
    false,
  ]);
});

it('gives no combination to two rows', () => {
  const all = Object.values(KEYS).flatMap(({ on }): readonly string[] => on);
  expect(new Set(all).size).toBe(all.length);
});
