import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../output.ts';
import { buildProgram } from '../program.ts';
import { findSlot } from './find-slot.ts';

const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
const host = { environment: {}, stdin, stdout, stderr };
const program = buildProgram({ host, output: createOutput(host) });

describe('the value to complete', () => {
  it.each([
    [['job'], { name: 'job', path: 'job', before: [] }],
    [['job', '--follow'], { name: 'job' }],
    [['call', 'github:work'], { name: 'tool', before: ['github:work'] }],
    [['call', '--workspace', 'research', 'github'], { name: 'tool', before: ['github'], workspace: 'research' }],
    [['connections', '--workspace'], { name: '--workspace' }],
    [['connections', '--url=http://a.test', '--workspace'], { name: '--workspace', url: 'http://a.test' }],
    [['keys', 'save'], { name: 'provider', path: 'keys save' }],
    [['jobs', '--status'], { name: '--status', choices: ['queued', 'running', 'completed', 'failed', 'aborted'] }],
    [['completion'], { name: 'shell', choices: ['bash', 'zsh', 'fish'] }],
    [['connections', 'policy', 'github', '--enable'], { name: '--enable', before: ['github'] }],
  ] as const)('behind %j', (words, slot) => {
    expect(findSlot(program, words)).toMatchObject(slot);
  });

  it.each([[[]], [['keys']], [['whoami']], [['job', 'job_1']], [['nope']]])('there is none after %j', (words) => {
    expect(findSlot(program, words)).toBeUndefined();
  });
});
