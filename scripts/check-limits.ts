import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../src/base/errors.ts';
import { findLimitFaults } from './find-limit-faults.ts';
import { ADMISSION_FILES, APART } from './limits.ts';

/** Refusals of somebody else's limits: what a provider said is passed on. */
const PASSED_ON = ['provider_rate_limited', 'provider_quota_exceeded', 'provider_request_too_large'];
/** Not a limit of requests: the file itself is refused. */
const OF_CONTENT = ['file_too_complex'];

const root = join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ path: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }));
const faults = findLimitFaults(files, {
  codes: Object.entries(ERRORS)
    .filter(([code, { status }]) => [408, 413, 429].includes(status) || code.startsWith('too_many_'))
    .map(([code]) => code)
    .filter((code) => !PASSED_ON.includes(code) && !OF_CONTENT.includes(code)),
  makers: ['createSlidingLimit', 'createAttemptLimit', 'limitConcurrency', 'createShares'],
  files: [...ADMISSION_FILES, ...APART.flatMap((row) => row.files)],
  named: [
    'src/gateway/pace-answers.ts',
    'src/model-providers/codecs/refuse-too-many.ts',
    'src/http/mcp/mcp-endpoint.ts',
  ],
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
