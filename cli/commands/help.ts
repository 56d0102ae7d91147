import type { Command } from 'commander';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { usage } from '../failure.ts';

export function addHelp(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'help [command...]',
    summary: 'List the commands, or show the help of one',
    example: 'servicectl help keys save',
    local: true,
  }).action((path: string[], options: Common) => help(cli, program, path, options));
}

function help({ output }: Cli, program: Command, path: readonly string[], { json }: Common): void {
  let command = program;
  for (const name of path) {
    const next = command.commands.find((one) => one.name() === name);
    if (!next) throw usage(`there is no command '${path.join(' ')}'`, 'Run: servicectl help');
    command = next;
  }
  if (!json) return command.outputHelp();
  output.json({
    command: ['servicectl', ...path].join(' '),
    summary: command.description(),
    usage: command.usage(),
    options: command.options.map(({ flags, description }) => ({ flags, description })),
    commands: command.commands
      .filter((one) => !one.name().startsWith('__'))
      .map((one) => ({ name: one.name(), summary: one.description() })),
  });
}
