import type { Command } from 'commander';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { usage } from '../../failure.ts';
import { openOrganization } from '../../organization-of.ts';
import { describeEffect, POLICY_FIELDS, POLICY_NAMES, readField, showValue, toChange } from '../../policy-fields.ts';

interface SetOptions extends Common {
  readonly add?: boolean;
  readonly remove?: boolean;
}

export function addPolicy(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'policy',
    summary: "Your organization's policy: show (the default), set. Of a connection: connections policy",
    example: 'servicectl policy',
  });
  defineCommand(group, {
    name: 'show',
    summary: 'Show every field of the policy, whether it is enforced, and what it does as it is set',
    example: 'servicectl policy show --json',
    isDefault: true,
  }).action((options: Common) => show(cli, options));
  defineCommand(group, {
    name: 'set <field> [values...]',
    summary: 'Set a field of the policy: on or off, a list of names (none empties it), or an entry such as modules.x',
    example: 'servicectl policy set disabled-models openai/gpt-5 --add',
  })
    .option('--add', 'add the names to the list')
    .option('--remove', 'take the names off the list')
    .action((field: string, values: string[], options: SetOptions) => set(cli, field, values, options));
}

async function show(cli: Cli, options: Common): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const policy = await client.policy.show({ org });
  if (options.json) return cli.output.json({ policy });
  cli.output.table(
    ['FIELD', 'VALUE', 'EFFECT', 'MEANS'],
    POLICY_NAMES.map((name) => {
      const value = policy[POLICY_FIELDS[name].field];
      return [name, showValue(value), POLICY_FIELDS[name].effect, describeEffect(name, value)];
    }),
  );
}

async function set(cli: Cli, given: string, values: readonly string[], options: SetOptions): Promise<void> {
  if (options.add && options.remove) throw usage('use either --add or --remove');
  const target = readField(given);
  const { client, org } = await openOrganization(cli, options);
  const how = options.add ? 'add' : options.remove ? 'remove' : 'replace';
  const change = toChange(target, values, how, await client.policy.show({ org }));
  const policy = await client.policy.update({ org, ...change });
  const value = policy[POLICY_FIELDS[target.name].field];
  if (options.json) return cli.output.json({ policy });
  cli.output.say(`${target.name} is now ${showValue(value)}. ${describeEffect(target.name, value)}`);
}
