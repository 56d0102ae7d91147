import type { Command } from 'commander';
import { resolve } from 'node:path';
import { addBackup } from './backup.ts';
import { runAdmin } from '../../run-admin.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { addAccounts } from './accounts.ts';
import { addSupport } from './support.ts';
import { askOperator, DEBUG_TOKEN, type OperatorOptions } from './ask-operator.ts';

export function addAdmin(program: Command, cli: Cli): void {
  const admin = defineGroup(program, {
    name: 'admin',
    summary: 'For operators: people, organizations and their plans, the model catalogue, backups, support bundles',
    example: 'servicectl admin plan acme team',
  });
  defineCommand(admin, {
    name: 'plan <organization> <plan>',
    summary: 'Change the plan of an organization, by ID or slug: free, team or business',
    example: 'SERVICE_DEBUG_TOKEN=<token> servicectl admin plan acme team',
  })
    .option(...DEBUG_TOKEN)
    .action((organization: string, plan: string, options: OperatorOptions) =>
      setPlan(cli, organization, plan, options),
    );
  defineCommand(admin, {
    name: 'organization <name>',
    summary:
      'Create an organization for an owner; if the address has no account yet, prints an invitation link to pass on',
    example: 'SERVICE_DEBUG_TOKEN=<token> servicectl admin organization Acme --owner jo@acme.example',
  })
    .requiredOption('--owner <email>', 'email address of the owner')
    .option('--plan <plan>', "free, team or business (default: the service's SERVICE_FIRST_PLAN)")
    .option(...DEBUG_TOKEN)
    .action((name: string, options: OperatorOptions & { owner: string; plan?: string }) =>
      makeOrganization(cli, name, options),
    );
  addAccounts(admin, cli);
  addBackup(admin, cli);
  addSupport(admin, cli);
  defineCommand(admin, {
    name: 'models',
    summary: 'On the server: list the models of the catalogue, and whether each is built in or from the catalogue file',
    example: 'servicectl admin models --check models.json',
    local: true,
  })
    .option('--check <file>', 'validate this file as SERVICE_MODEL_CATALOG, and list the catalogue that it gives')
    .action((options: Common & { check?: string }) => listModels(cli, options));
}

interface DescribedModel {
  readonly id: string;
  readonly name: string;
  readonly from: 'built-in' | 'file';
  readonly providers: readonly string[];
  readonly priced: boolean;
}

async function listModels(cli: Cli, { json, check }: Common & { check?: string }): Promise<void> {
  const { models } = await runAdmin<{ models: readonly DescribedModel[] }>(
    cli,
    'models',
    check === undefined ? {} : { check: resolve(check) },
  );
  if (json) return cli.output.json({ models });
  cli.output.table(
    ['MODEL', 'NAME', 'FROM', 'CALLED AS', 'PRICE'],
    models.map(({ id, name, from, providers, priced }) => [
      id,
      name,
      from,
      providers.join(', '),
      priced ? 'known' : 'unknown',
    ]),
  );
  const own = models.filter(({ from }) => from === 'file').length;
  if (check !== undefined) cli.output.say(`${check} is valid: ${own} ${own === 1 ? 'model' : 'models'}.`);
}

interface MadeOrganization {
  readonly organization: { readonly slug: string; readonly plan: string };
  readonly owner?: {
    readonly name: string;
    readonly email: string;
    readonly verified: boolean;
    readonly registeredAt: string;
  };
  readonly invitation?: { readonly email: string; readonly url: string; readonly expiresAt: string };
}

async function setPlan(cli: Cli, organization: string, plan: string, options: OperatorOptions): Promise<void> {
  const answer = await askOperator<{ organization: { id: string; slug: string; plan: string } }>(cli, options, {
    method: 'PUT',
    path: `/service-debug/organizations/${encodeURIComponent(organization)}/plan`,
    body: { plan },
  });
  if (options.json) cli.output.json(answer);
  else cli.output.say(`${answer.organization.slug} is now on the ${answer.organization.plan} plan.`);
}

async function makeOrganization(
  cli: Cli,
  name: string,
  { owner: ownerEmail, plan, ...options }: OperatorOptions & { owner: string; plan?: string },
): Promise<void> {
  const { output } = cli;
  const answer = await askOperator<MadeOrganization>(cli, options, {
    method: 'POST',
    path: '/service-debug/organizations',
    body: { name, ownerEmail, ...(plan === undefined ? {} : { plan }) },
  });
  if (options.json) return output.json(answer);
  const { organization, owner, invitation } = answer;
  output.say(`Created ${organization.slug} on the ${organization.plan} plan.`);
  if (owner)
    output.say(
      `Its owner is ${owner.name} <${owner.email}>, registered on ${owner.registeredAt.slice(0, 10)}${owner.verified ? '' : '; the email address is not verified'}.`,
    );
  if (!invitation) return;
  output.say(
    `${invitation.email} has no account yet. Pass on this link, valid until ${invitation.expiresAt.slice(0, 10)}; the person who accepts it becomes the owner:`,
  );
  output.line(invitation.url);
}
