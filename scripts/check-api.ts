// Whether the printed contract holds to the rules of redocly.yaml. Nothing is sent or fetched: what it describes is
// printed from the code into a file of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../src/http/openapi.ts';

const root = join(import.meta.dirname, '..');
const CLI = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const directory = mkdtempSync(join(tmpdir(), 'service-api-'));
const file = join(directory, 'openapi.json');
try {
  writeFileSync(file, JSON.stringify(await openApiDocument('https://agents.example.org'), null, 1));
  const { status } = spawnSync(process.execPath, [CLI, 'lint', file, '--config', join(root, 'redocly.yaml')], {
    cwd: directory,
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(directory, { recursive: true });
}
