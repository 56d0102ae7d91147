import type { Command } from 'commander';
import { runAdmin } from '../../run-admin.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure, usage } from '../../failure.ts';

interface Options extends Common {
  readonly check?: boolean;
  readonly apply?: boolean;
  readonly environment?: string;
}

interface Reconciled {
  readonly ok: boolean;
  readonly oauthCallbackUrl: string;
  readonly integrations: readonly { readonly id: string; readonly state: string; readonly message: string }[];
  /** Whether the account of the provider's dashboard was used. */
  readonly dashboard: boolean;
  /** Why the provider could not be queried. */
  readonly problem?: { readonly error: string; readonly next: string };
}

interface WebhookReport {
  readonly ok: boolean;
  readonly settings: readonly {
    readonly setting: string;
    readonly expected: string;
    readonly found: string;
    readonly ok: boolean;
  }[];
}

export function addIntegrations(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'integrations',
    summary: 'For operators, on the server: set up the integration provider',
    example: 'servicectl integrations reconcile --check',
  });
  for (const [name, summary, act] of [
    [
      'reconcile',
      "Compare the OAuth integrations at the provider with SERVICE_OAUTH_<PREFIX>_*, and print the callback to register; connectors whose client only the provider's dashboard can register need its account too (NANGO_DASHBOARD_USERNAME, NANGO_DASHBOARD_PASSWORD)",
      reconcile,
    ],
    [
      'webhook',
      "Compare the provider's webhook settings with what the service needs, in the provider's database",
      webhook,
    ],
  ] as const) {
    const command = defineCommand(group, {
      name,
      summary,
      example: `servicectl integrations ${name} --check`,
      local: true,
    })
      .option('--check', 'show the differences without changing anything')
      .option('--apply', 'make the changes');
    if (name === 'webhook')
      command.option('--environment <id>', 'number of the environment in the provider, if several are named prod');
    command.action((options: Options) => act(cli, options));
  }
}

function modeOf({ check, apply }: Options): 'check' | 'apply' {
  if ((check === true) === (apply === true)) throw usage('use exactly one of --check and --apply');
  return apply ? 'apply' : 'check';
}

async function reconcile(cli: Cli, options: Options): Promise<void> {
  const mode = modeOf(options);
  const report = await runAdmin<Reconciled>(cli, 'integrations-reconcile', { mode });
  if (options.json) cli.output.json(report);
  else {
    cli.output.line(`oauthCallbackUrl: ${report.oauthCallbackUrl}`);
    if (report.dashboard)
      cli.output.say(
        "Used the account of the provider's dashboard (NANGO_DASHBOARD_USERNAME) for the connectors whose client only the dashboard can register.",
      );
    cli.output.table(
      ['CONNECTOR', 'STATE', ''],
      report.integrations.map(({ id, state, message }) => [id, state, message]),
    );
  }
  if (report.problem) throw new Failure(report.problem.error, { next: report.problem.next });
  if (!report.ok)
    throw new Failure('the integrations at the provider do not match the environment', {
      next:
        mode === 'check'
          ? 'Fix the variables listed above, or run it with --apply.'
          : 'Fix the problems listed above and run it again.',
    });
}

async function webhook(cli: Cli, options: Options): Promise<void> {
  const mode = modeOf(options);
  const environment = options.environment === undefined ? undefined : Number(options.environment);
  if (environment !== undefined && !Number.isSafeInteger(environment)) throw usage('--environment takes a number');
  const report = await runAdmin<WebhookReport>(cli, 'integrations-webhook', { mode, environment });
  if (options.json) cli.output.json(report);
  else
    cli.output.table(
      ['SETTING', 'STATE', 'EXPECTED', 'FOUND'],
      report.settings.map(({ setting, expected, found, ok }) => [setting, ok ? 'ok' : 'differs', expected, found]),
    );
  if (!report.ok)
    throw new Failure("the provider's webhook settings are not what the service needs", {
      next: 'Run: servicectl integrations webhook --apply',
    });
  if (mode === 'apply' && !options.json)
    cli.output.say(
      'The provider may keep signing with its old key for up to five minutes, and its webhooks are refused until then. Restart the provider to make it take effect at once.',
    );
}
