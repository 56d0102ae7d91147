import { Command } from 'commander';
import { addAbort } from './commands/abort.ts';
import { addAdmin } from './commands/operators/admin.ts';
import { addApi } from './commands/api.ts';
import { addApps } from './commands/apps.ts';
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
import { addFeedback } from './commands/feedback.ts';
import { addHelp } from './commands/help.ts';
import { addImport } from './commands/import.ts';
import { addIntegrations } from './commands/operators/integrations.ts';
import { addJob } from './commands/job.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addRoutes } from './commands/routes.ts';
import { addLogin } from './commands/login.ts';
import { addLogout } from './commands/logout.ts';
import { addMcp } from './commands/mcp.ts';
import { addModels } from './commands/models.ts';
import { addModelsAccount } from './commands/models-account.ts';
import { addOpen } from './commands/open.ts';
import { addOrganizations } from './commands/organizations.ts';
import { addPolicy } from './commands/policy.ts';
import { addProjects } from './commands/projects.ts';
import { addPrompts } from './commands/prompts.ts';
import { addReceipts } from './commands/receipts.ts';
import { addRun } from './commands/run.ts';
import { addToken } from './commands/token.ts';
import { addCaps } from './commands/caps.ts';
import { addTokens } from './commands/tokens.ts';
import { addTools } from './commands/tools.ts';
import { addUsage } from './commands/usage.ts';
import { addVerify } from './commands/verify.ts';
import { addWhoami } from './commands/whoami.ts';
import { addWorkspaces } from './commands/workspaces.ts';
import { prepareCommand } from './prepare-command.ts';
import type { Cli } from './define-command.ts';
import { EXIT_MEANINGS } from './exit-codes.ts';
import { readVersion } from './version.ts';

/** In the order of the help. */
const COMMANDS = [
  addLogin,
  addLogout,
  addWhoami,
  addOrganizations,
  addWorkspaces,
  addToken,
  addTokens,
  addChat,
  addChats,
  addProjects,
  addPrompts,
  addFeedback,
  addModels,
  addModelsAccount,
  addRoutes,
  addUsage,
  addCaps,
  addApps,
  addConnect,
  addConnections,
  addPolicy,
  addDisconnect,
  addCapabilities,
  addTools,
  addCall,
  addImport,
  addMcp,
  addRun,
  addJobs,
  addJob,
  addAbort,
  addReceipts,
  addVerify,
  addKeys,
  addApi,
  addOpen,
  addDoctor,
  addEnv,
  addBundle,
  addIntegrations,
  addAdmin,
  addCompletion,
  addComplete,
  addHelp,
] as const;

export function buildProgram(cli: Cli): Command {
  const program = new Command('servicectl')
    .description(
      'Command-line client of the platform: chat, connected apps, background runs, receipts, and tools for operators.',
    )
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ writeOut: (text) => cli.output.write(text), outputError: () => {} })
    .addHelpText(
      'after',
      `\nExit codes:\n${Object.entries(EXIT_MEANINGS)
        .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
        .join(
          '\n',
        )}\n\nEnvironment:\n  SERVICE_URL    address of the service\n  SERVICE_TOKEN  connect token to use instead of your sign-in\n\nExample:\n  $ servicectl login && servicectl chat "What can you do?"`,
    );
  program.hook('preAction', (_, command) => prepareCommand(cli, command));
  for (const add of COMMANDS) add(program, cli);
  return program;
}
