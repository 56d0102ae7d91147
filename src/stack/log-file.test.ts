import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boundForeignLogFile, openLogFile } from './log-file.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'service-log-'));
  path = join(directory, 'logs', 'web.log');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a part's log file", () => {
  it('is private and goes on where it ended', () => {
    for (const text of ['one\n', 'two\n']) {
      const log = openLogFile(path);
      log.write(Buffer.from(text));
      log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('moves aside at its limit and keeps one file before', () => {
    const log = openLogFile(path, 10);
    for (const text of ['aaaaaa\n', 'bbbbbb\n', 'cccccc\n']) log.write(Buffer.from(text));
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('cccccc\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('bbbbbb\n');
  });

  it('loses what it cannot write, and goes on when it can again', () => {
    writeFileSync(join(directory, 'logs'), 'in the way');
    const log = openLogFile(path);
    log.write(Buffer.from('lost\n'));
    rmSync(join(directory, 'logs'));
    log.write(Buffer.from('kept\n'));
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('kept\n');
  });

  it('is bounded too when another program writes it', () => {
    const foreign = join(directory, 'postgres.log');
    writeFileSync(foreign, 'x'.repeat(20));
    boundForeignLogFile(foreign, 20);
    expect(statSync(foreign).size).toBe(20);
    boundForeignLogFile(foreign, 19);
    expect([statSync(foreign).size, statSync(`${foreign}.1`).size]).toEqual([0, 20]);
    boundForeignLogFile(join(directory, 'absent.log'));
  });
});
