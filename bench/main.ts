// npm run bench -- [name …]: measures the hot paths side by side with their peers, in one run, and prints ratios; at the
// end, what the benches aim at. Without a name, or with `all`, every one. A bench is a file beside this one that exports
// `bench(report)` and may return its aims.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Aim, printAims } from './support/aims.ts';

const benches = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -'.ts'.length));

const wanted = process.argv.slice(2).filter((name) => name !== 'all');
const unknown = wanted.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`unknown bench ${unknown.join(', ')}; there are all, ${benches.join(', ')}\n`);
  process.exit(2);
}
const report = (line: string): void => void process.stdout.write(`${line}\n`);
const aims: Aim[] = [];
for (const name of wanted.length > 0 ? wanted : benches) {
  const { bench } = (await import(join(import.meta.dirname, `${name}.ts`))) as {
    bench: (report: (line: string) => void) => Promise<readonly Aim[] | void>;
  };
  report(`\n${name}`);
  // A bench that fails must not take the figures of the others with it.
  try {
    aims.push(...((await bench(report)) ?? []));
  } catch (error) {
    report(`  ${name} FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 1;
  }
}
printAims(aims, report);
