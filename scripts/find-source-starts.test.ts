import { expect, it } from 'vitest';
import { findSourceStarts } from './find-source-starts.ts';

const faultsOf = (text: string): number =>
  findSourceStarts([{ path: 'test/x.ts', text }], ['web', 'runtime', 'servicectl-admin']).length;

it.each([
  ["spawn(process.execPath, ['src/entry/web.ts'])"],
  ["spawn(process.execPath, [join(ROOT, 'src', 'entry', 'runtime.ts')])"],
  ["spawn(process.execPath, [join(ROOT, 'src/entry/servicectl-admin.ts')])"],
  ["await import('../../src/entry/web.ts')"],
  ["spawn(process.execPath, [join(ROOT, 'cli', 'main.ts')])"],
  ["fork('../cli/main.ts')"],
  ['await runProcess(name, start)'],
  ['await stackMain({ table, bundles, root })'],
])('%s starts a role from its sources', (text) => {
  expect(faultsOf(text)).toBe(1);
});

it.each([
  ["spawn(process.execPath, [builtEntry('web')])"],
  ["import { serveApi } from '../../src/entry/serve-api.ts'"],
  ['// As src/entry/web.ts mounts them'],
  ["const page = 'src/entry/every-route.pg.test.ts'"],
])('%s does not', (text) => {
  expect(faultsOf(text)).toBe(0);
});
