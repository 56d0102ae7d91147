import type { Command } from 'commander';
import { findAccount, requireToken } from '../account.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { describeToken } from '../describe-token.ts';

export function addToken(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'token',
    summary: 'Print the connect token in use, for other programs that call the service',
    example: 'curl http://localhost:4000/v1/models -H "authorization: Bearer $(servicectl token)"',
  }).action((options: Common) => token(cli, options));
}

async function token({ host, output }: Cli, options: Common): Promise<void> {
  const account = await findAccount(host, options);
  const text = requireToken(account);
  if (options.json)
    return output.json({ url: account.url, token: text, expiresAt: describeToken(text)?.expiresAt ?? null });
  output.line(text);
  if (output.watched) output.say('Keep it secret: anyone who has it can act as you until it expires.');
}
