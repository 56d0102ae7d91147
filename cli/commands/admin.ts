import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { sendForJson } from '../api/send.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';

export function addAdmin(program: Command, cli: Cli): void {
  const admin = defineGroup(program, { name: 'admin', summary: 'For operators: what needs the debug token of the service', example: 'servicectl admin plan acme team' });
  defineCommand(admin, { name: 'plan <organization> <plan>', summary: 'Put an organization, by id or slug, on another plan: free, team or business', example: 'SERVICE_DEBUG_TOKEN=<token> servicectl admin plan acme team' })
    .option('--debug-token <token>', 'debug token of the service (default: SERVICE_DEBUG_TOKEN)')
    .action((organization: string, plan: string, options: Common & { debugToken?: string }) => setPlan(cli, organization, plan, options));
}

async function setPlan({ host, output }: Cli, organization: string, plan: string, options: Common & { debugToken?: string }): Promise<void> {
  const bearer = options.debugToken ?? host.environment['SERVICE_DEBUG_TOKEN'];
  if (!bearer) throw new Failure('this needs the debug token of the service', { exit: EXIT.signedOut, next: 'Give it with --debug-token or in SERVICE_DEBUG_TOKEN.' });
  const { url } = await findAccount(host, options);
  const answer = await sendForJson<{ organization: { id: string; slug: string; plan: string } }>(url, `/service-debug/organizations/${encodeURIComponent(organization)}/plan`, { method: 'PUT', bearer: checkDebugToken(bearer.trim()), body: { plan } }).catch((error: unknown) => {
    if (error instanceof Failure && error.exit === EXIT.signedOut) throw new Failure('the service does not accept this debug token', { exit: EXIT.signedOut, next: 'Check SERVICE_DEBUG_TOKEN with the operator of the service.' });
    throw error;
  });
  if (options.json) output.json(answer);
  else output.say(`${answer.organization.slug} is on the plan ${answer.organization.plan}.`);
}

/** An operator may have chosen words with spaces; what no header can hold is refused without being repeated. */
function checkDebugToken(token: string): string {
  if (/^[\x20-\x7E]+$/.test(token)) return token;
  throw usage('the debug token holds characters that cannot be sent', 'Set SERVICE_DEBUG_TOKEN to plain letters, digits and signs, on the service and here.');
}
