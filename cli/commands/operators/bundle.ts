import type { Command } from 'commander';
import { runAdmin } from '../../run-admin.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure } from '../../failure.ts';

interface Check {
  readonly file: string;
  readonly ok: boolean;
  readonly faults: readonly string[];
  readonly placeholders: readonly string[];
  readonly notices: readonly string[];
}

interface CheckOptions extends Common {
  readonly allowPlaceholders?: boolean;
}

const FILE = 'secrets.env';

export function addBundle(program: Command, cli: Cli): void {
  const bundle = defineGroup(program, {
    name: 'bundle',
    summary: 'For operators, on the server: create or check the secrets bundle of a deployment',
    example: 'servicectl bundle check production.env',
  });
  defineCommand(bundle, {
    name: 'init [file]',
    summary: `Create a bundle with new keys, mode 0600 (default: ${FILE}); never overwrites a file`,
    example: 'servicectl bundle init production.env',
    local: true,
  }).action((file: string | undefined, options: Common) => init(cli, file ?? FILE, options));
  defineCommand(bundle, {
    name: 'check [file]',
    summary: `Check a bundle before it is uploaded (default: ${FILE})`,
    example: 'servicectl bundle check production.env',
    local: true,
  })
    .option('--allow-placeholders', 'accept placeholders, for the first deployment')
    .action((file: string | undefined, options: CheckOptions) => check(cli, file ?? FILE, options));
}

async function init(cli: Cli, file: string, { json }: Common): Promise<void> {
  const made = await runAdmin<{ file: string }>(cli, 'bundle-init', { file });
  if (json) return cli.output.json(made);
  cli.output.say(
    `Wrote ${made.file}. Pass its NANGO_* lines to the integration provider: with NANGO_SECRET_KEY_PROD it accepts SERVICE_INTEGRATIONS_SECRET_KEY from its first start.`,
  );
}

async function check(cli: Cli, file: string, { json, allowPlaceholders }: CheckOptions): Promise<void> {
  const found = await runAdmin<Check>(cli, 'bundle-check', { file, allowPlaceholders: allowPlaceholders === true });
  if (json) cli.output.json(found);
  else
    cli.output.table(
      ['KIND', 'MESSAGE'],
      [
        ...found.faults.map((text) => ['fault', text]),
        ...found.placeholders.map((name) => ['placeholder', `${name} is still a placeholder`]),
        ...found.notices.map((text) => ['notice', text]),
      ],
    );
  if (!found.ok) {
    const [fault] = found.faults;
    throw new Failure(
      fault === undefined
        ? `${file} still contains a placeholder (${found.placeholders.join(', ')}), which blocks a production release`
        : `${file} is invalid: ${fault}`,
      {
        next:
          fault === undefined
            ? 'Replace it and check again; before the first deployment, use --allow-placeholders.'
            : 'Fix the bundle and check it again.',
      },
    );
  }
  cli.output.say(
    found.placeholders.length > 0
      ? `${file} is valid; replace the placeholders before a production release.`
      : `${file} is valid.`,
  );
}
