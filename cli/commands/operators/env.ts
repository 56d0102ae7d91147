import type { Command } from 'commander';
import { runAdmin } from '../../run-admin.ts';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';

interface Variable {
  readonly name: string;
  readonly group: string;
  readonly takes: string;
  readonly default: string | null;
  readonly secret: boolean;
  readonly set: boolean;
  readonly file?: string;
  readonly help: string;
}

export function addEnv(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'env',
    summary: 'For operators, on the server: list the environment variables of the service; values are never shown',
    brief: 'On the server: list the environment variables of the service',
    example: 'servicectl env --check',
    local: true,
  })
    .option('--check', 'also validate the environment as the service does, and fail on the first invalid value')
    .action((options: Common & { check?: boolean }) => env(cli, options));
}

async function env(cli: Cli, { json, check }: Common & { check?: boolean }): Promise<void> {
  const { variables } = await runAdmin<{ variables: readonly Variable[] }>(cli, 'environment', {
    check: check === true,
  });
  if (json) return cli.output.json({ variables });
  cli.output.table(
    ['VARIABLE', 'SET', 'DEFAULT', 'TAKES', 'MEANING'],
    variables.map(({ name, set, default: standard, takes, secret, file, help }) => [
      name,
      set ? 'yes' : '',
      standard ?? '-',
      secret ? `${takes}, secret${file === undefined ? '' : `; or ${file}`}` : takes,
      help,
    ]),
  );
  if (check) cli.output.say('The environment is valid.');
}
