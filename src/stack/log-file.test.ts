import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { boundForeignLogFile, openLogFile, type WriteWatch } from './log-file.ts';

let directory: string;
let path: string;
let faults: unknown[];
const watch: WriteWatch = { failed: (_, error) => faults.push((error as NodeJS.ErrnoException).code), wrote: () => {} };
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'service-log-'));
  path = join(directory, 'logs', 'web.log');
  faults = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a part's log file", () => {
  it('is private and goes on where it ended', () => {
    for (const text of ['one\n', 'two\n']) {
      const log = openLogFile(path, watch);
      log.write(Buffer.from(text));
      log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('moves aside at its limit and keeps one file before', () => {
    const log = openLogFile(path, watch, 10);
    for (const text of ['aaaaaa\n', 'bbbbbb\n', 'cccccc\n']) log.write(Buffer.from(text));
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('cccccc\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('bbbbbb\n');
  });

  it('loses what it cannot write, and goes on when it can again', () => {
    writeFileSync(join(directory, 'logs'), 'in the way');
    const log = openLogFile(path, watch);
    log.write(Buffer.from('lost\n'));
    rmSync(join(directory, 'logs'));
    log.write(Buffer.from('kept\n'));
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('kept\n');
    expect(faults).toEqual(['ENOTDIR', 'ENOTDIR']);
  });

  it('is begun again under its name when it was moved away or removed', () => {
    const log = openLogFile(path, watch);
    log.write(Buffer.from('one\n'));
    renameSync(path, join(directory, 'rotated.log'));
    log.write(Buffer.from('two\n'));
    expect([readFileSync(join(directory, 'rotated.log'), 'utf8'), readFileSync(path, 'utf8')]).toEqual([
      'one\n',
      'two\n',
    ]);
    rmSync(join(directory, 'logs'), { recursive: true });
    log.write(Buffer.from('three\n'));
    expect(readFileSync(path, 'utf8')).toBe('three\n');
    expect(faults).toEqual([]);
    log.close();
  });

  it('does not bring back a data directory that was removed', () => {
    const log = openLogFile(path, watch);
    rmSync(directory, { recursive: true });
    log.write(Buffer.from('lost\n'));
    expect([faults, statSync(directory, { throwIfNoEntry: false })]).toEqual([['ENOENT'], undefined]);
    log.close();
  });

  it('takes a full disk, whatever it is asked', needs('linux'), () => {
    mkdirSync(join(directory, 'logs'));
    symlinkSync('/dev/full', path);
    const log = openLogFile(path, watch);
    log.write(Buffer.from('lost\n'));
    log.write(Buffer.from('lost too\n'));
    expect(faults).toEqual(['ENOSPC', 'ENOSPC']);
    rmSync(path);
    log.write(Buffer.from('kept\n'));
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('kept\n');
  });

  it('is bounded too when another program writes it', () => {
    const foreign = join(directory, 'postgres.log');
    writeFileSync(foreign, 'x'.repeat(20));
    boundForeignLogFile(foreign, watch, 20);
    expect(statSync(foreign).size).toBe(20);
    boundForeignLogFile(foreign, watch, 19);
    expect([statSync(foreign).size, statSync(`${foreign}.1`).size]).toEqual([0, 20]);
    boundForeignLogFile(join(directory, 'absent.log'), watch);
  });
});
