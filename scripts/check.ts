// Everything that can be said about the sources without running them; with names, only those checks.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

/** TypeScript 7. The package `typescript` is 6, because the generators of clients use its interface for programs. */
const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');

const CHECKS: { name: string; command: string; args: string[] }[] = [
  { name: 'types', command: process.execPath, args: [tsc, '-p', '.'] },
  ...(existsSync(join(root, 'web', 'index.html'))
    ? [{ name: 'web types', command: process.execPath, args: [tsc, '-p', 'web'] }]
    : []),
  { name: 'cli types', command: process.execPath, args: [tsc, '-p', 'cli'] },
  { name: 'format', command: bin('oxfmt'), args: ['--check'] },
  { name: 'lint', command: bin('oxlint'), args: ['--deny-warnings'] },
  { name: 'floors', command: process.execPath, args: ['scripts/check-floors.ts'] },
  { name: 'tests', command: process.execPath, args: ['scripts/check-tests.ts'] },
  { name: 'limits', command: process.execPath, args: ['scripts/check-limits.ts'] },
  { name: 'json', command: process.execPath, args: ['scripts/check-json-bounds.ts'] },
  { name: 'words', command: process.execPath, args: ['scripts/check-words.ts'] },
  { name: 'names', command: process.execPath, args: ['scripts/check-names.ts'] },
  { name: 'exports', command: process.execPath, args: ['scripts/check-exports.ts'] },
  { name: 'glossary', command: process.execPath, args: ['scripts/check-glossary.ts'] },
  { name: 'docs', command: process.execPath, args: ['scripts/write-docs.ts', '--check'] },
  { name: 'api', command: process.execPath, args: ['scripts/check-api.ts'] },
  { name: 'changelog', command: process.execPath, args: ['scripts/check-changelog.ts'] },
  { name: 'links', command: process.execPath, args: ['scripts/check-docs.ts'] },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no check is called ${unknown.join(', ')}; there are ${CHECKS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}

let failed = 0;
for (const { name, command, args } of CHECKS.filter((check) => wanted.length === 0 || wanted.includes(check.name))) {
  const startedAt = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  if (status !== 0) {
    failed++;
    process.stdout.write(`${stdout}${stderr}\n`);
  }
}
process.exit(failed === 0 ? 0 : 1);
