import type { Command } from 'commander';
import { runAdmin } from '../run-admin.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure } from '../failure.ts';

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
    summary: 'The secrets bundle of a deployment: make one, check one',
    example: 'servicectl bundle check production.env',
  });
  defineCommand(bundle, {
    name: 'init [file]',
    summary: `Write a new bundle with fresh keys, mode 0600 (default: ${FILE}); never over one that is there`,
    example: 'servicectl bundle init production.env',
    local: true,
  }).action((file: string | undefined, options: Common) => init(cli, file ?? FILE, options));
  defineCommand(bundle, {
    name: 'check [file]',
    summary: `Check a bundle before it is uploaded (default: ${FILE})`,
    example: 'servicectl bundle check production.env',
    local: true,
  })
    .option('--allow-placeholders', 'take a bundle that still carries a placeholder, for the first deploy')
    .action((file: string | undefined, options: CheckOptions) => check(cli, file ?? FILE, options));
}

async function init(cli: Cli, file: string, { json }: Common): Promise<void> {
  const made = await runAdmin<{ file: string }>(cli, 'bundle-init', { file });
  if (json) return cli.output.json(made);
  cli.output.say(
    `Wrote ${made.file}. Give the integration provider its NANGO_* lines: with NANGO_SECRET_KEY_PROD it takes SERVICE_INTEGRATIONS_SECRET_KEY from its first start.`,
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
        ...found.placeholders.map((name) => ['placeholder', `${name} is still the placeholder`]),
        ...found.notices.map((text) => ['notice', text]),
      ],
    );
  if (!found.ok) {
    const [fault] = found.faults;
    throw new Failure(
      fault === undefined
        ? `${file} still carries a placeholder (${found.placeholders.join(', ')}): it blocks a production release`
        : `${file} is refused: ${fault}`,
      {
        next:
          fault === undefined
            ? 'Replace it, then check again; before the first deploy, check with --allow-placeholders.'
            : 'Fix the bundle, then check it again.',
      },
    );
  }
  cli.output.say(
    found.placeholders.length > 0
      ? `${file} is well-formed; replace the placeholders before a production release.`
      : `${file} is good.`,
  );
}
