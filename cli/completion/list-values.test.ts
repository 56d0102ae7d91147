import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createOutput } from '../output.ts';
import { buildProgram } from '../program.ts';
import { SOURCES } from './list-values.ts';

const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
const host = { environment: {}, stdin, stdout, stderr };

function namesOf(command: Command, path: readonly string[] = []): string[] {
  const own = [
    ...command.options.map(({ long }) => long ?? ''),
    ...command.registeredArguments.map((argument) => argument.name()),
  ];
  return [
    ...own,
    ...own.map((name) => [...path, name].join(' ')),
    ...command.commands.flatMap((child) => namesOf(child, [...path, child.name()])),
  ];
}

it.each(Object.keys(SOURCES))('%s is a flag or an argument of a command', (name) => {
  expect(namesOf(buildProgram({ host, output: createOutput(host) }))).toContain(name);
});
