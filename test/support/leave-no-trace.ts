// Test files share the modules and the globals of their worker. One that replaces a global puts it back before it ends,
// and one that loads modules for itself, for instance to mock one, calls vi.resetModules() before it and after.
import { afterAll } from 'vitest';

const NAMES = [
  'fetch',
  'location',
  'document',
  'sessionStorage',
  'Date',
  'performance',
  'setTimeout',
  'setInterval',
] as const;
const found = look();

afterAll(() => {
  const now = look();
  const replaced = NAMES.filter((_, index) => now[index] !== found[index]);
  if (replaced.length > 0) throw new Error(`this file leaves ${replaced.join(', ')} replaced for the files after it`);
});

function look(): unknown[] {
  return NAMES.map((name) => (globalThis as Record<string, unknown>)[name]);
}
