import { describe, expect, it } from 'vitest';
import { StackError } from './stack-error.ts';
import { type Exit, type LaunchedPart, type SupervisedPart, type SupervisorEvents, supervise } from './supervise.ts';

interface FakePart extends SupervisedPart {
  launches: number;
  answer(): void;
  end(exit?: Partial<Exit>): void;
  next(): Promise<void>;
}

/** Parts that answer and end when the test says so, and a diary of what happened. */
function stage(): { diary: string[]; part(name: string, after?: string[]): FakePart; events: SupervisorEvents } {
  const diary: string[] = [];
  const part = (name: string, after: string[] = []): FakePart => {
    let healthy = Promise.withResolvers<void>();
    let exited = Promise.withResolvers<Exit>();
    let launched = Promise.withResolvers<void>();
    const end = (exit: Partial<Exit> = {}): void => exited.resolve({ code: 0, signal: null, ...exit });
    return {
      name,
      after,
      launches: 0,
      answer: () => healthy.resolve(),
      end,
      next: () => launched.promise,
      launch(): Promise<LaunchedPart> {
        this.launches++;
        healthy = Promise.withResolvers();
        exited = Promise.withResolvers();
        diary.push(`launch ${name}`);
        launched.resolve();
        launched = Promise.withResolvers();
        const stop = async (): Promise<void> => {
          diary.push(`stop ${name}`);
          end();
        };
        return Promise.resolve({
          pid: 1,
          healthy: healthy.promise,
          exited: exited.promise,
          stop,
          kill: () => end({ signal: 'SIGKILL', code: null }),
        });
      },
    };
  };
  const say = (line: string): void => void diary.push(line);
  return {
    diary,
    part,
    events: { started: (name) => say(`${name} answers`), failed: say, recovered: say, changed: () => {} },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
  await settled();
  return (await Promise.race([promise, Promise.resolve('pending')])) === 'pending';
};

describe('the supervisor', () => {
  it('starts a part when those it needs answer, and is ready when all do', async () => {
    const { diary, part, events } = stage();
    const [database, web, gateway] = [part('database'), part('web', ['database']), part('gateway', ['web'])];
    const supervisor = supervise([database, web, gateway], events);
    await settled();
    expect(diary).toEqual(['launch database']);
    database.answer();
    await settled();
    web.answer();
    await settled();
    expect(diary.slice(1)).toEqual(['database answers', 'launch web', 'web answers', 'launch gateway']);
    expect(await isPending(supervisor.ready)).toBe(true);
    gateway.answer();
    await supervisor.ready;
    await supervisor.stop();
  });

  it('is not ready while a part that had answered is down again', async () => {
    const { part, events } = stage();
    const [web, gateway] = [part('web'), part('gateway')];
    const supervisor = supervise([web, gateway], events);
    await settled();
    web.answer();
    await settled();
    web.end({ code: 1 });
    gateway.answer();
    expect(await isPending(supervisor.ready)).toBe(true);
    expect([...supervisor.waiting]).toEqual(['web']);
    await web.next();
    await settled();
    web.answer();
    await supervisor.ready;
    await supervisor.stop();
  });

  it('starts a part again with growing pauses, and says why and when', async () => {
    const { diary, part, events } = stage();
    const web = part('web');
    const supervisor = supervise([web], events);
    await settled();
    web.end({ code: 1, reason: 'no luck' });
    await web.next();
    await settled();
    web.end({ code: null, signal: 'SIGKILL' });
    await web.next();
    await settled();
    web.answer();
    await supervisor.ready;
    expect(diary).toEqual([
      'launch web',
      'web ended with code 1 (no luck); starting it again in 0.2 s',
      'launch web',
      'web was ended by SIGKILL; starting it again in 0.4 s',
      'launch web',
      'web is up again',
    ]);
    expect(supervisor.running.get('web')?.restarts).toBe(2);
    await supervisor.stop();
  });

  it('stops in the reverse order and starts nothing afterwards', async () => {
    const { diary, part, events } = stage();
    const parts = ['a', 'b', 'c'].map((name) => part(name));
    const never = part('never', ['c']);
    const supervisor = supervise([...parts, never], events);
    await settled();
    await supervisor.stop();
    expect(diary.filter((line) => line.startsWith('stop'))).toEqual(['stop c', 'stop b', 'stop a']);
    expect(never.launches).toBe(0);
    expect(await isPending(supervisor.ready)).toBe(true);
  });

  it('stops together what belongs together: the gateway ends after the web server that it waits for', async () => {
    const { diary, part, events } = stage();
    const [web, inner] = [part('web'), part('gateway')];
    const webEnded = Promise.withResolvers<void>();
    const gateway: SupervisedPart = {
      ...inner,
      stopsWith: ['web'],
      async launch(stopping) {
        const launched = await inner.launch(stopping);
        return { ...launched, stop: () => webEnded.promise.then(() => launched.stop()) };
      },
    };
    const supervisor = supervise([part('database'), web, gateway], events);
    await settled();
    void supervisor.running.get('web')?.launched.exited.then(() => webEnded.resolve());
    await supervisor.stop();
    expect(diary.filter((line) => line.startsWith('stop'))).toEqual(['stop web', 'stop gateway', 'stop database']);
  });

  it('gives up when a part refuses its configuration at the first start, but not later', async () => {
    const { part, events } = stage();
    const web = part('web');
    const first = supervise([web], events);
    await settled();
    web.end({ code: 78, reason: 'web: SERVICE_X takes a port.' });
    await expect(first.ready).rejects.toEqual(new StackError('web: SERVICE_X takes a port.', 78));
    await first.stop();

    const later = part('later');
    const second = supervise([later], events);
    await settled();
    later.answer();
    await second.ready;
    later.end({ code: 78 });
    await later.next();
    await second.stop();
    expect(later.launches).toBe(2);
  });

  it('tries again when a part cannot be launched, unless that is final', async () => {
    const { diary, part, events } = stage();
    const flaky = part('flaky');
    const launch = flaky.launch.bind(flaky);
    let failed = false;
    flaky.launch = (stopping) => {
      if (failed) return launch(stopping);
      failed = true;
      return Promise.reject(new Error('busy'));
    };
    const supervisor = supervise([flaky], events);
    await flaky.next();
    expect(diary).toContain('flaky could not be started (busy); starting it again in 0.2 s');
    await supervisor.stop();

    const hopeless = supervise(
      [{ name: 'x', after: [], launch: () => Promise.reject(new StackError('no binaries')) }],
      events,
    );
    await expect(hopeless.ready).rejects.toThrow('no binaries');
    await hopeless.stop();
  });

  it('waits for a launch under way before it stops what comes before', async () => {
    const { diary, part, events } = stage();
    const [first, slow] = [part('first'), part('slow')];
    const launch = slow.launch.bind(slow);
    const gate = Promise.withResolvers<void>();
    slow.launch = async (stopping) => {
      await gate.promise;
      return launch(stopping);
    };
    const supervisor = supervise([first, slow], events);
    await settled();
    const stopped = supervisor.stop();
    await settled();
    expect(diary).not.toContain('stop first');
    gate.resolve();
    await stopped;
    expect(diary.filter((line) => line.startsWith('stop'))).toEqual(['stop slow', 'stop first']);
  });

  it('ends everything at once when told to', async () => {
    const { part, events } = stage();
    const web = part('web');
    const supervisor = supervise([web], events);
    await settled();
    supervisor.kill();
    await supervisor.stop();
    expect(web.launches).toBe(1);
  });
});
