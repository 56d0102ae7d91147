import { describe, expect, it } from 'vitest';
import { requireSpace, watchDisk } from './disk-space.ts';

describe('the space that a start needs', () => {
  it('is more for the first start, and the line says where, how much is free and how much is needed', () => {
    expect(() => requireSpace('/data', true, 60e6)).toThrow('the disk that holds /data is full: 60 MB are free, and the first start needs 150 MB. Free some space, or choose another directory with --data-dir.');
    expect(() => requireSpace('/data', false, 60e6)).not.toThrow();
    expect(() => requireSpace('/data', false, 1e6)).toThrow('1 MB are free, and a start needs 20 MB');
  });
});

describe('the watch over a disk', () => {
  it('warns once while the disk is full, and again after there was room', () => {
    let free = 0;
    const warned: string[] = [];
    const { heard } = watchDisk('/data', (line) => warned.push(line), () => free);
    heard('web ended with code 1');
    heard('write ENOSPC');
    expect(warned).toEqual(['the disk that holds /data is full: 0 MB are free. Free some space; the parts come back by themselves.']);
    free = 10e6;
    heard('web is slow');
    expect(warned).toHaveLength(1);
    heard('could not extend file "base/5/1": No space left on device');
    expect(warned).toHaveLength(2);
  });

  it('says nothing about complaints of other kinds', () => {
    const warned: string[] = [];
    watchDisk('/data', (line) => warned.push(line), () => 10e6).heard('no database');
    watchDisk('/data', (line) => warned.push(line), () => 1e12).heard('write ENOSPC');
    expect(warned).toEqual([]);
  });
});
