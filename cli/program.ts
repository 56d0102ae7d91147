import { type Argument, Command, type Option } from 'commander';
import { addAbort } from './commands/abort.ts';
import { addAdmin } from './commands/operators/admin.ts';
import { addAccount } from './commands/account.ts';
import { addApi } from './commands/api.ts';
import { addApps } from './commands/apps.ts';
import { addAuth } from './commands/auth.ts';
import { addBundle } from './commands/operators/bundle.ts';
import { addCall } from './commands/call.ts';
import { addCapabilities } from './commands/capabilities.ts';
import { addChat } from './commands/chat.ts';
import { addChats } from './commands/chats.ts';
import { addComplete } from './commands/complete.ts';
import { addCompletion } from './commands/completion.ts';
import { addConnect } from './commands/connect.ts';
import { addConnections } from './commands/connections.ts';
import { addDisconnect } from './commands/disconnect.ts';
import { addDoctor } from './commands/operators/doctor.ts';
import { addEnv } from './commands/operators/env.ts';
import { addFeedback } from './commands/organization/feedback.ts';
import { addHelp } from './commands/help.ts';
import { addImport } from './commands/import.ts';
import { addIntegrations } from './commands/operators/integrations.ts';
import { addInvitations } from './commands/organization/invitations.ts';
import { addJob } from './commands/job.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/organization/keys.ts';
import { addRoutes } from './commands/organization/routes.ts';
import { addLogin } from './commands/login.ts';
import { addLogout } from './commands/logout.ts';
import { addMembers } from './commands/organization/members.ts';
import { addMcp } from './commands/mcp.ts';
import { addModels } from './commands/models.ts';
import { addModelsAccount } from './commands/organization/models-account.ts';
import { addOpen } from './commands/open.ts';
import { addOrganizations } from './commands/organizations.ts';
import { addPolicy } from './commands/organization/policy.ts';
import { addProjects } from './commands/projects.ts';
import { addPrompts } from './commands/prompts.ts';
import { addEnvironments } from './commands/background/environments.ts';
import { addRecipes } from './commands/background/recipes.ts';
import { addReceipts } from './commands/receipts.ts';
import { addRequests } from './commands/organization/requests.ts';
import { addSchedules } from './commands/background/schedules.ts';
import { addScim } from './commands/organization/scim.ts';
import { addRun } from './commands/run.ts';
import { addToken } from './commands/token.ts';
import { addCaps } from './commands/organization/caps.ts';
import { addTokens } from './commands/tokens.ts';
import { addTools } from './commands/tools.ts';
import { addTriggers } from './commands/background/triggers.ts';
import { addUsage } from './commands/usage.ts';
import { addVersion } from './commands/version.ts';
import { addVerify } from './commands/verify.ts';
import { addWhoami } from './commands/whoami.ts';
import { addSubscriptions } from './commands/organization/subscriptions.ts';
import { addWorkspaces } from './commands/organization/workspaces.ts';
import { prepareCommand } from './prepare-command.ts';
import { type Cli, COMMON_OPTIONS } from './define-command.ts';
import { EXIT_MEANINGS } from './exit-codes.ts';
import { fitTable } from './fit-table.ts';
import { describeVersion, readVersion } from './version.ts';

/** In the order of the help. */
const COMMANDS = {
  'Sign in': [addLogin, addLogout, addAuth, addWhoami, addAccount, addOrganizations, addToken, addTokens],
  Chat: [addChat, addChats, addProjects, addPrompts, addModels],
  'Apps and tools': [
    addApps,
    addConnect,
    addConnections,
    addDisconnect,
    addCapabilities,
    addTools,
    addCall,
    addImport,
    addMcp,
  ],
  'Background runs': [addRun, addJobs, addJob, addAbort, addRecipes, addSchedules, addTriggers, addEnvironments],
  'Receipts and requests': [addReceipts, addVerify, addRequests],
  'Your organization': [
    addMembers,
    addInvitations,
    addScim,
    addWorkspaces,
    addPolicy,
    addKeys,
    addModelsAccount,
    addRoutes,
    addUsage,
    addCaps,
    addSubscriptions,
    addFeedback,
  ],
  Operators: [addDoctor, addEnv, addBundle, addIntegrations, addAdmin],
  'Everything else': [addApi, addOpen, addCompletion, addComplete, addVersion, addHelp],
} as const;

/** The widest line of a help text. */
const HELP_COLUMNS = 80;

export function buildProgram(cli: Cli): Command {
  const program = new Command('servicectl')
    .description(
      'Command-line client of the platform: chat, connected apps, background runs, receipts, and tools for operators.',
    )
    .version(describeVersion(readVersion()), '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => cli.output.write(text),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(cli.host.stdout.columns || HELP_COLUMNS, HELP_COLUMNS),
    })
    .configureHelp({ optionDescription: describeOption, subcommandTerm, groupItems, minWidthToWrap: 20 })
    .addHelpText('after', () => `\n${describeExits()}\n\n${ENVIRONMENT}\n\n${EXAMPLE}`);
  program.hook('preAction', (_, command) => prepareCommand(cli, command));
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(`${heading}:`);
    for (const add of commands) add(program, cli);
  }
  return program;
}

/** The list of all commands has only their names; that of a group has their arguments too. */
function subcommandTerm(command: Command): string {
  const given = command.parent?.parent ? command.registeredArguments.map(humanReadable) : [];
  return [command.name(), ...given].join(' ');
}

function humanReadable(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** In the order in which they were added, but what every command takes comes last. */
function groupItems<T extends Command | Option>(
  added: T[],
  visible: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const headings = [...new Set([...added, ...visible].map(groupOf))];
  return new Map(
    [...headings.filter((one) => one !== COMMON_OPTIONS), COMMON_OPTIONS].flatMap((heading) => {
      const items = visible.filter((item) => groupOf(item) === heading);
      return items.length === 0 ? [] : [[heading, items]];
    }),
  );
}

/** As commander does, but without a default that says nothing. */
function describeOption(option: Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription } = option;
  const shown = defaultValueDescription ?? (typeof defaultValue === 'string' ? defaultValue : '');
  const facts = [
    ...(argChoices ? [`choices: ${argChoices.join(', ')}`] : []),
    ...(shown === '' ? [] : [`default: ${shown}`]),
  ];
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}

const ENVIRONMENT =
  'Environment:\n  SERVICE_URL    address of the service\n  SERVICE_TOKEN  connect token to use instead of your sign-in';
const EXAMPLE = 'Example:\n  $ servicectl login && servicectl chat "What can you do?"';

function describeExits(): string {
  const rows = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => [code.padStart(5), meaning]);
  return ['Exit codes:', ...fitTable(['', ''], rows, HELP_COLUMNS).lines].join('\n');
}
