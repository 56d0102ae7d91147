import { type Context, Never, Resonate } from '@resonatehq/sdk';
import { afterAll, describe, expect, test } from 'vitest';
import { openBrokerStand } from '../support/broker/broker-stand.ts';

const stand = await openBrokerStand();
const { url } = await stand.broker();
afterAll(() => stand.close());

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
type Flow = Generator<unknown, unknown, unknown>;

/** What the SDK offers to durable functions, once through. */
function registerAll(resonate: Resonate, target: string): void {
  const options = (context: Context) => context.options({ target, timeout: 60_000, retryPolicy: new Never() });
  resonate.register('add', async (_: Context, a: number, b: number) => a + b);
  resonate.register('fail', async () => {
    throw new Error('no such luck');
  });
  resonate.register('drive', function* (context: Context, name: string): Flow {
    const local = yield* context.run(async () => `hello ${name}`);
    const first = yield* context.beginRpc<number>('add', 1, 2, options(context));
    const second = yield* context.beginRpc<number>('add', 3, 4, options(context));
    const sum = (yield* first) + (yield* second);
    yield* context.sleep(20);
    let failure = '';
    try {
      yield* context.rpc('fail', options(context));
    } catch (error) {
      failure = (error as Error).message;
    }
    return { local, sum, failure };
  });
}

async function run(resonate: Resonate, target: string, id: string): Promise<unknown> {
  registerAll(resonate, target);
  const handle = await resonate.beginRpc(id, 'drive', 'world', resonate.options({ target, timeout: 60_000 }));
  try {
    return await handle.result();
  } finally {
    await resonate.stop();
  }
}

describe('the unmodified SDK', () => {
  test('runs the same workflow on this broker and on its own reference, with the same result', async () => {
    const expected = { local: 'hello world', sum: 10, failure: 'no such luck' };
    expect(await run(new Resonate({ logger: SILENT, group: 'local' }), 'local', 'flow')).toEqual(expected);
    expect(await run(new Resonate({ url, group: 'sdk', logger: SILENT }), 'sdk', 'flow')).toEqual(expected);
  });

  test('starts a call once per id and finds its result again', async () => {
    const resonate = new Resonate({ url, group: 'once', logger: SILENT });
    let runs = 0;
    resonate.register('count', async () => ++runs);
    const options = resonate.options({ target: 'once', timeout: 60_000 });
    const first = await resonate.beginRpc('once-a', 'count', options);
    expect(await first.result()).toBe(1);
    const second = await resonate.beginRpc('once-a', 'count', options);
    expect(await second.result()).toBe(1);
    await resonate.stop();
  });

  test('is told about a cancelled and about a timed-out promise', async () => {
    const resonate = new Resonate({ url, group: 'ends', logger: SILENT });
    const waitFor = async (id: string, timeout: number) =>
      (await resonate.beginRpc(id, 'nobody', resonate.options({ target: 'nobody-here', timeout }))).result();
    const message = (error: unknown): string => (error as Error).message;
    const cancelled = waitFor('ends-a', 60_000).catch(message);
    const late = waitFor('ends-b', 300).catch(message);
    await expect
      .poll(async () =>
        resonate.promises.get('ends-a').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await resonate.promises.cancel('ends-a');
    expect(await Promise.all([cancelled, late])).toEqual(['Promise canceled', 'Promise timedout']);
    await resonate.stop();
  });
});
