// A process that appends receipts to a few streams as fast as it can and prints each one that was acknowledged.
// It is meant to be killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { systemClock } from '../../src/base/clock.ts';
import { createReceiptWriter } from '../../src/receipts/receipt-writer.ts';
import { openDatabase } from '../../src/store/database.ts';
import { poll } from './poll.ts';

const [url = '', schema = '', name = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const db = await poll(() =>
  openDatabase({ url, schema, poolMax: 2, applicationName: 'appender', log }).catch(() => undefined),
);
const writer = createReceiptWriter({ db, clock: systemClock });

await Promise.all(
  Array.from({ length: 8 }, async (_, caller) => {
    for (let n = 0; ; n++) {
      const stream = caller < 4 ? 'shared' : `own/${name}`;
      try {
        const { index, hash } = await writer.append(stream, {
          kind: 'test',
          actor: 'system:test',
          body: { from: `${name}.${caller}.${n}` },
        });
        process.stdout.write(`${stream} ${index} ${hash.toString('hex')}\n`);
      } catch {
        // The server is down: the next try comes a moment later.
        await sleep(50);
      }
    }
  }),
);
