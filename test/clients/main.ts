// npm run test:clients: the clients that people already use, unchanged, against a real stack. Words after `--` choose
// clients by name; --provider and --credential choose rows. `results.json`, which `npm run docs` prints, is written only
// when every row has been run.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENTS } from './clients.ts';
import { installClients } from './install-clients.ts';
import { CREDENTIALS, openWorld, PROVIDERS } from './open-world.ts';
import { renderRow, toResults } from './render-results.ts';
import { type Row, runCase } from './run-case.ts';

const RESULTS = join(import.meta.dirname, 'results.json');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { provider: { type: 'string' }, credential: { type: 'string' }, list: { type: 'boolean' } },
});
const clients = CLIENTS.filter(
  ({ name, package: packageName }) =>
    positionals.length === 0 ||
    positionals.some((word) => `${name} ${packageName ?? ''}`.toLowerCase().includes(word.toLowerCase())),
);
if (values.list) {
  for (const { name } of clients) process.stdout.write(`${name}\n`);
  process.exit(0);
}
process.exit(
  await runClients().catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }),
);

async function runClients(): Promise<number> {
  const installed = installClients(say);
  const world = await openWorld();
  const rows: Row[] = [];
  try {
    for (const client of clients) {
      for (const credential of CREDENTIALS.filter(
        (one) => values.credential === undefined || one === values.credential,
      )) {
        for (const provider of PROVIDERS.filter((one) => values.provider === undefined || one === values.provider)) {
          if (client.only && (client.only.provider !== provider || client.only.credential !== credential)) continue;
          const row = await runCase(client, provider, credential, world, installed);
          rows.push(row);
          process.stdout.write(`${renderRow(row)}\n`);
        }
      }
    }
  } finally {
    await world.close();
  }
  const failed = rows.filter(({ outcomes }) => outcomes.some(({ fault }) => fault !== undefined));
  const isWhole = clients.length === CLIENTS.length && values.credential === undefined && values.provider === undefined;
  if (isWhole) await writeFile(RESULTS, `${JSON.stringify(toResults(rows), undefined, 2)}\n`);
  say(
    `${rows.length} rows, ${failed.length} failed${isWhole ? '; test/clients/results.json is written, npm run docs prints it' : '; some were left out, so test/clients/results.json stays as it is'}`,
  );
  return rows.length > 0 && failed.length === 0 ? 0 : 1;
}
