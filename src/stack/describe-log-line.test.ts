import { describe, expect, it } from 'vitest';
import { describeLogLine, splitLines } from './describe-log-line.ts';

const entry = (fields: object): string => JSON.stringify({ time: 'now', part: 'web', ...fields });

describe('a log line for people', () => {
  it('is the message and the cause of a warning or an error', () => {
    expect(
      describeLogLine(entry({ level: 'fatal', msg: 'could not start', err: { message: 'no database' } }), 'stdout'),
    ).toEqual({ level: 'error', text: 'could not start: no database', logged: true });
    expect(describeLogLine(entry({ level: 'warn', err: { message: '', code: 'ECONNREFUSED' } }), 'stdout')).toEqual({
      level: 'warn',
      text: 'ECONNREFUSED',
      logged: true,
    });
  });

  it('says what to do when the part says so', () => {
    expect(
      describeLogLine(
        entry({ level: 'warn', msg: 'runs are off', reason: 'no sandbox is safe', fix: 'install one' }),
        'stdout',
      )?.text,
    ).toBe('runs are off: no sandbox is safe. To fix it: install one');
  });

  it('leaves out everything below a warning', () => {
    expect(describeLogLine(entry({ level: 'info', msg: 'listening' }), 'stderr')).toBeUndefined();
    expect(describeLogLine('plain words', 'stdout')).toBeUndefined();
    expect(describeLogLine('  ', 'stderr')).toBeUndefined();
  });

  it('takes plain words on standard error for an error', () => {
    expect(describeLogLine('web: SERVICE_WEB_PORT takes a port number.', 'stderr')).toEqual({
      level: 'error',
      text: 'web: SERVICE_WEB_PORT takes a port number.',
      logged: false,
    });
    expect(describeLogLine('{ not json', 'stderr')?.text).toBe('{ not json');
  });

  it('cannot steer the terminal and stays short', () => {
    expect(describeLogLine('\u001b[2J\u0007evil\u009b1m', 'stderr')?.text).toBe('[2J evil 1m');
    expect(describeLogLine('x'.repeat(1000), 'stderr')?.text).toHaveLength(401);
  });
});

it('puts lines together across chunks, inside a character too, and cuts one that never ends', () => {
  const lines: string[] = [];
  const push = splitLines((line) => lines.push(line), 8);
  const bytes = Buffer.from('one\ntwö\nthr');
  for (const byte of bytes) push(Buffer.from([byte]));
  expect(lines).toEqual(['one', 'twö']);
  push(Buffer.from('eeeeeeee'));
  expect(lines).toEqual(['one', 'twö', 'threeeeeeee']);
});
