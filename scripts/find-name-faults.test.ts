import { expect, it } from 'vitest';
import { findNameFaults } from './find-name-faults.ts';

const PATHS = [
  'src/runs/start-run.ts',
  'src/runs/start-run.test.ts',
  'migrations/functions/runs.sql',
  'docs/README.md',
];
const code = (text: string) => findNameFaults([{ path: 'src/runs/start-run.ts', text }], PATHS);
const page = (text: string) => findNameFaults([{ path: 'docs/README.md', text }], PATHS);

it.each([
  '`src/runs/start-run.ts`',
  '`runs/start-run.ts` and `start-run.ts`',
  '`runs/start-run`',
  '`src/runs/`, `src/*`, `src/runs/{start-run.ts,start-run.test.ts}`',
  '`migrations/functions/*.sql`',
  '`/v1/chat/completions`, `text/plain`, `application/json`, `a.b`',
  '```sh\nnode src/runs/gone.ts\n```',
])('a page may name what exists, and what is no path: %j', (text) => {
  expect(page(text)).toEqual([]);
});

it.each([
  ['`src/runs/begin-run.ts`', 'src/runs/begin-run.ts'],
  ['`begin-run.ts`', 'begin-run.ts'],
  ['`runs/begin-run`', 'runs/begin-run'],
  ['`src/runs/{start-run,end-run}.ts`', 'src/runs/{start-run,end-run}.ts'],
  ['`src/walks/*`', 'src/walks/*'],
])('a page that says %j names nothing', (text, name) => {
  expect(page(text)).toEqual([`docs/README.md: ${name} is no file or directory`]);
});

it('a comment names files and code that exist', () => {
  expect(code('// See runs/start-run.ts and migrations/functions/runs.sql: startRun\nfunction startRun() {}')).toEqual(
    [],
  );
  expect(code("const route = '/api/**'; // startRun\nconst url = 'https://a.example/beginRun'; startRun();")).toEqual(
    [],
  );
  expect(code('/**\n * Calls beginRun of `gone.ts`.\n */\nstartRun();\n')).toEqual([
    'src/runs/start-run.ts: gone.ts is no file or directory',
    'src/runs/start-run.ts: beginRun is in no code',
  ]);
  expect(code('-- jobHold is a word of SQL\nselect 1;')).toEqual(['src/runs/start-run.ts: jobHold is in no code']);
});
