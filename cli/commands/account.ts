import { Argument, type Command } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';

export function addAccount(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'account',
    summary: 'Settings of your account: run-mails',
    example: 'servicectl account run-mails on',
  });
  defineCommand(group, {
    name: 'run-mails',
    summary: 'Choose whether you get an email when a run that you started ends; without on or off, show the choice',
    brief: 'Choose whether you get an email when a run ends',
    example: 'servicectl account run-mails on',
  })
    .addArgument(new Argument('[choice]', 'on or off').choices(['on', 'off']))
    .action((choice: 'on' | 'off' | undefined, options: Common) => runMails(cli, choice, options));
}

async function runMails({ host, output }: Cli, choice: 'on' | 'off' | undefined, options: Common): Promise<void> {
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const { mails } = webClient(account).account;
  const { runs } = choice === undefined ? await mails.read() : await mails.choose({ runs: choice === 'on' });
  if (options.json) return output.json({ runs });
  output.say(runs ? 'You get an email when a run of yours ends.' : 'You get no email when a run of yours ends.');
}
