import { describe, expect, it } from 'vitest';
import { requireSpace, watchDisk } from './disk-space.ts';

describe('the space that a start needs', () => {
  it('is more for the first start, and the line says where, how much is free and how much is needed', () => {
    expect(() => requireSpace('/data', true, 60e6)).toThrow(
      'the disk that holds /data is full: 60 MB are free, and the first start needs 150 MB. Free some space, or choose another directory with --data-dir.',
    );
    expect(() => requireSpace('/data', false, 60e6)).not.toThrow();
    expect(() => requireSpace('/data', false, 1e6)).toThrow('1 MB are free, and a start needs 20 MB');
  });
});

describe('the watch over a disk', () => {
  it('warns once while the disk is full, and again after there was room', () => {
    let free = 0;
    const warned: string[] = [];
    const { heard } = watchDisk('/data', { warn: (line) => warned.push(line), recovered: () => {} }, () => free);
    heard('web ended with code 1');
    heard('write ENOSPC');
    expect(warned).toEqual([
      'the disk that holds /data is full: 0 MB are free. Free some space; the parts come back by themselves.',
    ]);
    free = 10e6;
    heard('web is slow');
    expect(warned).toHaveLength(1);
    heard('could not extend file "base/5/1": No space left on device');
    expect(warned).toHaveLength(2);
  });

  it('says nothing about complaints of other kinds', () => {
    const warned: string[] = [];
    const events = { warn: (line: string) => warned.push(line), recovered: () => {} };
    watchDisk('/data', events, () => 10e6).heard('no database');
    watchDisk('/data', events, () => 1e12).heard('write ENOSPC');
    expect(warned).toEqual([]);
  });

  it('says once that files cannot be written, whichever they are, and once that they can again', () => {
    const said: string[] = [];
    let left: number | Error = 0;
    const free = (): number => {
      if (left instanceof Error) throw left;
      return left;
    };
    const watch = watchDisk('/data', { warn: (line) => said.push(line), recovered: (line) => said.push(line) }, free);
    watch.wrote('/data/logs/web.log');
    expect(said).toEqual([]);
    const full = Object.assign(new Error(), { code: 'ENOSPC' });
    for (const part of ['web', 'broker']) watch.failed(`/data/logs/${part}.log`, full);
    watch.heard('broker: write ENOSPC');
    expect(said).toEqual([expect.stringMatching(/^the disk that holds \/data is full: 0 MB/)]);
    left = 6e6;
    watch.wrote('/data/logs/web.log');
    expect(said).toHaveLength(1);
    left = 100e6;
    watch.wrote('/data/logs/web.log');
    watch.wrote('/data/logs/broker.log');
    expect(said.slice(1)).toEqual(['/data can be written again']);
    left = new Error('the disk cannot be asked');
    watch.failed('/data/stack.json', Object.assign(new Error(), { code: 'EROFS' }));
    watch.failed('/data/logs/web.log', Object.assign(new Error(), { code: 'EIO' }));
    expect(said.slice(2)).toEqual([
      '/data/stack.json cannot be written: the file system is read-only. Everything else keeps running; writing resumes once that is fixed.',
    ]);
  });
});
