// A process of the test's own that serves a task group through the role client, and says what it does. Functions:
// `drive` calls `work` in another group, `work` answers, `hang` never does.
import type { Context } from '@resonatehq/sdk';
import { pino } from 'pino';
import { callFrom, connectRole } from '../../../src/broker/client/connect-role.ts';

const [url = '', group = '', workGroup = '', credit = '16'] = process.argv.slice(2);
const say = (event: string, id = ''): void => void process.stdout.write(`${event} ${id}\n`);

function* drive(context: Context, argument: unknown): Generator<unknown, { answer: string }, unknown> {
  say('driving', context.id);
  const answer = yield* context.rpc<string>(
    'work',
    argument,
    callFrom(context, { target: workGroup, timeoutMs: 600_000 }),
  );
  return { answer };
}

async function work(context: Context, argument: { hang?: boolean }): Promise<string> {
  say('working', context.id);
  if (argument.hang) await new Promise(() => {});
  return `done ${context.id}`;
}

const role = connectRole({
  url,
  group,
  heartbeats: false,
  credit: Number(credit),
  log: pino({ level: 'silent' }),
  register(resonate) {
    resonate.register('drive', drive);
    resonate.register('work', work);
  },
});
process.once('SIGTERM', () => {
  void role.stop(2_000).then(() => process.exit(0));
});
await role.opened();
say('connected');
