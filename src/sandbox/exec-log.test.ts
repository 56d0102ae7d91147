import { describe, expect, it } from 'vitest';
import { createExecLog, type ExecLog } from './exec-log.ts';
import type { ExecEvent } from './protocol.ts';

const EXIT = { t: 'exit', code: 0, signal: null, ms: 1, stats: {} } as const;

async function all(log: ExecLog, after = -1): Promise<ExecEvent[]> {
  const events: ExecEvent[] = [];
  for await (const event of log.follow(after, new AbortController().signal)) events.push(event);
  return events;
}

function textOf(events: ExecEvent[], fd: 1 | 2): string {
  return events.flatMap((event) => (event.t === 'out' && event.fd === fd ? [event.d] : [])).join('');
}

describe('the log of a command', () => {
  it('numbers its events from 0, the start first and the exit last', async () => {
    const log = createExecLog('exe_1', 1000);
    log.write(1, Buffer.from('one'));
    log.write(2, Buffer.from('two'));
    log.end(EXIT);
    const events = await all(log);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events[0]).toEqual({ seq: 0, t: 'start', exec: 'exe_1' });
    expect(events.at(-1)).toMatchObject(EXIT);
    expect([textOf(events, 1), textOf(events, 2)]).toEqual(['one', 'two']);
  });

  it('tells a follower who comes back only what it has not seen', async () => {
    const log = createExecLog('exe_1', 1000);
    log.write(1, Buffer.from('a'));
    log.write(2, Buffer.from('b'));
    log.write(1, Buffer.from('c'));
    log.end(EXIT);
    const events = await all(log);
    expect(await all(log, 2)).toEqual(events.slice(3));
  });

  it('cuts output at the limit, says so once, and still tells the exit', async () => {
    const log = createExecLog('exe_1', 10);
    log.write(1, Buffer.from('12345678'));
    log.write(2, Buffer.from('abcdefgh'));
    log.write(1, Buffer.from('more'));
    log.end(EXIT);
    const events = await all(log);
    expect([textOf(events, 1), textOf(events, 2)]).toEqual(['12345678', 'ab']);
    expect(events.filter(({ t }) => t === 'truncated')).toEqual([expect.objectContaining({ limitBytes: 10 })]);
    expect(events.at(-1)?.t).toBe('exit');
  });

  it('says so too where a write ends exactly at the limit, and only if there is more', async () => {
    const log = createExecLog('exe_1', 10);
    log.write(1, Buffer.from('1234567890'));
    log.write(1, Buffer.from('more'));
    log.write(2, Buffer.from('and more'));
    log.end(EXIT);
    expect((await all(log)).filter(({ t }) => t === 'truncated')).toHaveLength(1);
    const whole = createExecLog('exe_2', 10);
    whole.write(1, Buffer.from('1234567890'));
    whole.end(EXIT);
    expect((await all(whole)).filter(({ t }) => t === 'truncated')).toEqual([]);
  });

  it('does not break a character that comes in two pieces', async () => {
    const log = createExecLog('exe_1', 1000);
    const bytes = Buffer.from('é');
    log.write(1, bytes.subarray(0, 1));
    log.write(2, Buffer.from('-'));
    log.write(1, bytes.subarray(1));
    log.end(EXIT);
    expect(textOf(await all(log), 1)).toBe('é');
  });

  it('notices when the last follower leaves before the end, and not after it', async () => {
    const log = createExecLog('exe_1', 1000);
    let deserted = 0;
    log.onAbandoned = () => void deserted++;
    const leaving = new AbortController();
    const reading = (async () => {
      for await (const event of log.follow(-1, leaving.signal)) if (event.t === 'start') leaving.abort();
    })();
    await reading;
    expect(deserted).toBe(1);
    log.end(EXIT);
    await all(log);
    expect(deserted).toBe(1);
  });

  it('gathers many small writes', async () => {
    const log = createExecLog('exe_1', 1_000_000);
    for (let i = 0; i < 10_000; i++) log.write(1, Buffer.from('x'));
    log.end(EXIT);
    const events = await all(log);
    expect(events.length).toBeLessThan(10);
    expect(textOf(events, 1)).toHaveLength(10_000);
  });
});
