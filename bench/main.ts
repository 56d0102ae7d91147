// npm run bench -- [name …]: measures the hot paths side by side with their peers, in one run, and prints ratios.
// A bench is a file beside this one that exports `bench(report)`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const benches = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -'.ts'.length));

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`unknown bench ${unknown.join(', ')}; there are ${benches.join(', ')}\n`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : benches) {
  const { bench } = (await import(join(import.meta.dirname, `${name}.ts`))) as {
    bench: (report: (line: string) => void) => Promise<void>;
  };
  process.stdout.write(`\n${name}\n`);
  await bench((line) => process.stdout.write(`${line}\n`));
}
