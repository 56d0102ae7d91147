import { Command } from 'commander';
import { addAbort } from './commands/abort.ts';
import { addAdmin } from './commands/admin.ts';
import { addBundle } from './commands/bundle.ts';
import { addCall } from './commands/call.ts';
import { addCapabilities } from './commands/capabilities.ts';
import { addChat } from './commands/chat.ts';
import { addCompletion } from './commands/completion.ts';
import { addConnect } from './commands/connect.ts';
import { addConnections } from './commands/connections.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEnv } from './commands/env.ts';
import { addHelp } from './commands/help.ts';
import { addImport } from './commands/import.ts';
import { addIntegrations } from './commands/integrations.ts';
import { addJob } from './commands/job.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addLogin } from './commands/login.ts';
import { addLogout } from './commands/logout.ts';
import { addMcp } from './commands/mcp.ts';
import { addModels } from './commands/models.ts';
import { addModelsAccount } from './commands/models-account.ts';
import { addReceipts } from './commands/receipts.ts';
import { addRun } from './commands/run.ts';
import { addToken } from './commands/token.ts';
import { addTools } from './commands/tools.ts';
import { addVerify } from './commands/verify.ts';
import { addWhoami } from './commands/whoami.ts';
import type { Cli } from './define-command.ts';
import { EXIT_MEANINGS } from './exit-codes.ts';
import { readVersion } from './version.ts';

/** In the order in which the help lists them. */
const COMMANDS = [
  addLogin, addLogout, addWhoami, addToken,
  addChat, addModels, addModelsAccount,
  addConnect, addConnections, addCapabilities, addTools, addCall, addImport, addMcp,
  addRun, addJobs, addJob, addAbort,
  addReceipts, addVerify,
  addKeys,
  addDoctor, addEnv, addBundle, addIntegrations, addAdmin,
  addCompletion, addHelp,
] as const;

export function buildProgram(cli: Cli): Command {
  const program = new Command('servicectl')
    .description('The command line of the service: chat, connected apps, background runs, receipts, and what operators need.')
    .version(readVersion(), '--version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ writeOut: (text) => cli.output.write(text), outputError: () => {} })
    .addHelpText('after', `\nExit codes:\n${Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`).join('\n')}\n\nSERVICE_URL and SERVICE_TOKEN name the service and a connect token.\n\nExample:\n  $ servicectl login && servicectl chat "What can you do?"`);
  for (const add of COMMANDS) add(program, cli);
  return program;
}
