import { Argument, type Command } from 'commander';
import { describeWords, SHELLS, type Shell, writeCompletion } from '../completion/write-completion.ts';
import { type Cli, defineCommand } from '../define-command.ts';

export function addCompletion(program: Command, { output }: Cli): void {
  defineCommand(program, {
    name: 'completion',
    summary: 'Print a script that completes commands and flags in your shell',
    example: 'servicectl completion bash > ~/.local/share/bash-completion/completions/servicectl',
    local: true,
  })
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell, { json }: { json?: boolean }) => {
      const words = describeWords(program);
      if (json) output.json({ words });
      else output.write(writeCompletion(shell, words));
    });
}
