import { describe, expect, it } from 'vitest';
import { createLines, type Lines, type Output } from './lines.js';

function written(output: Partial<Output>, act: (lines: Lines) => void): string {
  let text = '';
  act(createLines({ write: (more) => (text += more), ...output }));
  return text;
}
const everything = (lines: Lines): void => {
  lines.step('postgres', 1_234);
  const step = lines.begin('building');
  step.done();
  lines.begin('installing').failed();
  lines.say('something');
  lines.warn('something is odd');
  lines.error('something is wrong');
  lines.fail('it ends');
};

describe('the lines of npm start', () => {
  it('are one per step, with its duration in a column', () => {
    const lines = written({}, everything).split('\n');
    expect(lines[0]).toBe(`${'postgres'.padEnd(36)}   1.2 s`);
    expect(lines[1]).toMatch(/^building {29} *\d+\.\d s$/);
    expect(lines[2]).toBe(`${'installing'.padEnd(36)}  failed`);
    expect(lines.slice(3)).toEqual([
      'something',
      'warning: something is odd',
      'error: something is wrong',
      'service: it ends',
      '',
    ]);
  });

  it('are coloured on a terminal that has colours, and nowhere else', () => {
    const hasColors = (): boolean => true;
    expect(written({ isTTY: true, hasColors }, everything)).toContain('\u001B[');
    for (const output of [{}, { hasColors }, { isTTY: true }, { isTTY: true, hasColors: () => false }])
      expect(written(output, everything)).not.toContain('\u001B');
  });

  it('say the same on a terminal and in a pipe', () => {
    // oxlint-disable-next-line no-control-regex -- colours are exactly what is removed
    const onTerminal = written({ isTTY: true, hasColors: () => true }, everything).replaceAll(/\u001B\[\d+m/g, '');
    expect(onTerminal).toBe(written({}, everything));
  });
});
