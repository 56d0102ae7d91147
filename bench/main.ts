// npm run bench -- [name …]: measures the hot paths side by side with their peers, in one run, and prints ratios.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const BENCHES = ['receipts', 'gateway', 'auth'] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(BENCHES as readonly string[]).includes(name));
if (unknown.length > 0) {
  process.stderr.write(`unknown bench ${unknown.join(', ')}; there are ${BENCHES.join(', ')}\n`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : BENCHES) {
  const file = join(import.meta.dirname, `${name}.ts`);
  if (!existsSync(file)) continue;
  const { bench } = (await import(file)) as { bench: (report: (line: string) => void) => Promise<void> };
  process.stdout.write(`\n${name}\n`);
  await bench((line) => process.stdout.write(`${line}\n`));
}
