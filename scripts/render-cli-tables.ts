// The tables about servicectl in the documentation, printed from the commands, the exit codes and the doctor's checks.
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { EXIT_MEANINGS } from '../cli/exit-codes.ts';
import { createOutput } from '../cli/output.ts';
import { buildProgram } from '../cli/program.ts';
import { CHECKS } from '../src/entry/admin/doctor/checks.ts';

/** Flags that every command has, or that say nothing of their own. */
const COMMON = new Set(['--json', '--jq', '--url', '--as', '--debug', '--absolute', '--help', '--version']);

export function commandsTable(): string {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const host = { environment: {}, stdin, stdout, stderr };
  const rows = leaves(buildProgram({ host, output: createOutput(host) })).map(({ path, command }) => {
    const given = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    );
    const flags = command.options
      .filter(({ long }) => !COMMON.has(long ?? ''))
      .map(({ flags: text }) => `\`${cell(text)}\``);
    return `| \`${[...path, ...given].join(' ')}\` | ${prose(command.description())} | ${flags.join(', ')} |`;
  });
  return ['| command | | flags |', '|---|---|---|', ...rows, ''].join('\n');
}

function leaves(command: Command, path: readonly string[] = []): { path: readonly string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands
    .filter((child) => !child.name().startsWith('__'))
    .flatMap((child) => leaves(child, [...path, child.name()]));
}

export function exitCodesTable(): string {
  return [
    '| exit code | |',
    '|---|---|',
    ...Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `| ${code} | ${prose(meaning)} |`),
    '',
  ].join('\n');
}

export function checksTable(): string {
  return [
    '| check | looks at |',
    '|---|---|',
    ...Object.entries(CHECKS).map(
      ([id, { about, needs }]) =>
        `| \`${id}\` | ${cell(about)}${needs === undefined ? '' : ` (after ${needs.map((need) => `\`${need}\``).join(', ')})`} |`,
    ),
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Outside code a name in angle brackets would be taken for a tag. */
function prose(text: string): string {
  return cell(text).replaceAll(/[<*]/g, '\\$&');
}
