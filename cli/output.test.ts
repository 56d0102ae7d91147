import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createOutput } from './output.ts';

function open(isTTY: boolean, environment: Record<string, string> = {}) {
  const stream = () => Object.assign(new PassThrough(), { isTTY });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  return {
    output: createOutput({ environment, stdin, stdout, stderr }),
    read: (): [string, string] => [String(stdout.read() ?? ''), String(stderr.read() ?? '')],
  };
}
const ESC = String.fromCodePoint(27);

it('in a pipe a table has tabs and no heading, and there is no progress line', () => {
  const { output, read } = open(false);
  output.table(
    ['A', 'B'],
    [
      ['one', 'two\nlines'],
      ['three', '4'],
    ],
  );
  output.progress('waiting')();
  expect(read()).toEqual(['one\ttwo lines\nthree\t4\n', '']);
  expect([output.interactive, output.paint('red', 'x')]).toEqual([false, 'x']);
});

it('on a terminal a table is aligned under a heading, with colours unless disabled', () => {
  const { output, read } = open(true);
  output.table(['A', 'B'], [['one', 'two']]);
  expect(read()[0]).toBe(`${ESC}[2mA    B${ESC}[22m\none  two\n`);
  expect(open(true, { NO_COLOR: '1' }).output.paint('red', 'x')).toBe('x');
  expect(open(true, { TERM: 'dumb' }).output.paint('red', 'x')).toBe('x');
});

it('text from a server cannot control the terminal', () => {
  const { output, read } = open(true);
  output.table(['A'], [[`${ESC}]0;title${String.fromCodePoint(7)}text${ESC}[2J`]]);
  output.say(`${ESC}[31mred`);
  expect(read().join('').split(ESC)).toHaveLength(3);
});

it('on a terminal statuses are coloured, and times are relative unless dates are asked for', () => {
  const { output, read } = open(true);
  const rows = [[new Date(Date.now() - 7_260_000).toISOString(), 'failed (no reason)', '429']];
  output.table(['AT', 'STATUS', 'NAME'], rows);
  output.table(['AT', 'NAME', 'STATUS'], rows);
  expect(read()[0].split('\n')).toEqual([
    expect.anything(),
    `2 hours ago  ${ESC}[31mfailed${ESC}[39m (no reason)  429`,
    expect.anything(),
    `2 hours ago  failed (no reason)  ${ESC}[33m429${ESC}[39m`,
    '',
  ]);
  output.useAbsoluteTimes();
  output.table(['AT', 'STATUS', 'NAME'], rows);
  expect(read()[0]).toMatch(/\n\d{4}-\d\d-\d\d \d\d:\d\d {2}/);
});

it('a table fits the terminal, and times are local', () => {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
  const output = createOutput({
    environment: { NO_COLOR: '1' },
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
  });
  const at = new Date(2026, 0, 2, 3, 4, 5);
  output.table(['AT', 'TEXT'], [[at.toISOString(), 'one two three four five six']]);
  expect(String(stdout.read())).toBe(
    'AT                TEXT\n2026-01-02 03:04  one two three four\n                  five six\n',
  );
});
