import { expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 bytes'],
  [1_023, '1,023 bytes'],
  [1_024, '1 KiB'],
  [1_600_000, '1.5 MiB'],
  [1_048_575, '1 MiB'],
  [10 * 1024 ** 3, '10 GiB'],
  [1_000_000_000_000_000, '909.5 TiB'],
  [2 ** 60, '1,024 PiB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
