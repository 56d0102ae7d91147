import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needs } from '../../test/support/needs.ts';

const SCRIPT = `
const { createLog } = await import(process.argv[1]);
const { truncateSync } = await import('node:fs');
const log = createLog('test', { SERVICE_LOG_LEVEL: 'info' });
for (let line = 0; line < 1000; line++) log.info({ text: 'x'.repeat(400) }, 'many');
truncateSync(process.argv[2]);
log.info('first');
truncateSync(process.argv[2]);
log.info('second');
process.stderr.write('done');
`;

it(
  'a log on a full disk drops lines, does not end the process, and continues when there is room',
  needs('posix'),
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'service-log-'));
    const file = join(directory, 'out');
    try {
      // A limit on the size of files stands for the disk: the kernel refuses what is more until the file is cut.
      const args = [
        '--disable-warning=ExperimentalWarning',
        '--input-type=module',
        '--eval',
        SCRIPT,
        join(import.meta.dirname, 'log.ts'),
        file,
      ];
      const { stderr } = spawnSync(
        'bash',
        ['-c', `trap '' XFSZ; ulimit -f 300; exec "$0" "$@" >>'${file}'`, process.execPath, ...args],
        { encoding: 'utf8', timeout: 20_000 },
      );
      expect(stderr).toBe('done');
      expect(JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '')).toMatchObject({
        level: 'info',
        msg: 'second',
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);
