import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import { inWorkspace, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup, WORKSPACE } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';

interface Options extends Common {
  readonly name?: string;
  readonly workspace?: string;
  readonly profile?: string;
  readonly bundle?: string;
  readonly export?: boolean;
  readonly tokenFile?: string;
  readonly host?: string;
}

type Import = Parameters<Awaited<ReturnType<typeof openConnect>>['import']>[0];

const EXPORT_TIMEOUT_MS = 60_000;

export function addImport(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'import',
    summary: 'Import a cloud profile, cloud credentials or a code-host token as a connection',
    example: 'servicectl import aws --profile staging',
  });
  defineCommand(group, {
    name: 'aws',
    summary: 'Import an AWS profile by name, or its credentials',
    example: 'servicectl import aws --profile staging --export',
  })
    .option('--profile <profile>', 'profile of the AWS CLI; without --export only its name is stored')
    .option('--export', 'store the current credentials of the profile, exported by the AWS CLI')
    .option('--bundle <file>', 'store credentials in the credential-process format (- for standard input)')
    .option('--name <name>', 'name of the connection')
    .option(...WORKSPACE)
    .action((options: Options) => importAws(cli, options));
  defineCommand(group, {
    name: 'code-host <provider>',
    summary: 'Import a code-host token, read from standard input, a file or a hidden prompt',
    example: 'gh auth token | servicectl import code-host github',
  })
    .option('--token-file <file>', 'file with the token (- for standard input)')
    .option('--host <host>', 'host name, if it is not the public one')
    .option('--name <name>', 'name of the connection')
    .option(...WORKSPACE)
    .action((provider: string, options: Options) => importCodeHost(cli, provider, options));
}

async function importAws(cli: Cli, options: Options): Promise<void> {
  if (options.bundle !== undefined && options.export) throw usage('use either --bundle or --export');
  if (options.bundle === undefined && options.profile === undefined && !options.export)
    throw usage('choose a profile with --profile, or credentials with --bundle or --export');
  const account = await findAccount(cli.host, options);
  requireToken(account);
  const common = {
    provider: 'aws',
    ...(options.name === undefined ? {} : { name: options.name }),
    ...inWorkspace(options.workspace),
  };
  if (options.bundle === undefined && !options.export)
    return store(cli, account, { kind: 'local-cloud-profile', ...common, profile: options.profile ?? '' }, options);
  const { readNamed } = await import('../read-input.ts');
  const text =
    options.bundle === undefined ? await exportCredentials(options.profile) : await readNamed(cli.host, options.bundle);
  return store(cli, account, { kind: 'cloud-credential-process', ...common, bundle: parseBundle(text) }, options);
}

async function exportCredentials(profile: string | undefined): Promise<string> {
  const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')]);
  const args = [
    'configure',
    'export-credentials',
    '--format',
    'process',
    ...(profile === undefined ? [] : ['--profile', profile]),
  ];
  try {
    return (await promisify(execFile)('aws', args, { timeout: EXPORT_TIMEOUT_MS, maxBuffer: 1024 * 1024 })).stdout;
  } catch (error) {
    // Its output may contain a secret and is not repeated.
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure(missing ? 'the AWS CLI is not installed' : 'the AWS CLI returned no credentials', {
      next: missing
        ? 'Install it, or use --bundle.'
        : 'Sign in with it first (aws sso login), or choose another profile.',
    });
  }
}

function parseBundle(text: string): Extract<Import, { kind: 'cloud-credential-process' }>['bundle'] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null)
      return value as Extract<Import, { kind: 'cloud-credential-process' }>['bundle'];
  } catch {
    // Reported below, without the text: it is a secret.
  }
  throw usage(
    'the bundle is not JSON in the credential-process format',
    'It needs Version 1, AccessKeyId and SecretAccessKey; SessionToken and Expiration are optional.',
  );
}

async function importCodeHost(cli: Cli, provider: string, options: Options): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  requireToken(account);
  const { readNamed } = await import('../read-input.ts');
  const token =
    options.tokenFile !== undefined || !host.stdin.isTTY
      ? (await readNamed(host, options.tokenFile ?? '-')).trim()
      : output.interactive
        ? await (await import('../ask.ts')).askHidden(host, `Token for ${provider} (hidden): `)
        : '';
  if (token === '') throw usage('there is no token', 'Pipe it in, or use --token-file.');
  await store(
    cli,
    account,
    {
      kind: 'code-host-token',
      provider,
      token,
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...inWorkspace(options.workspace),
    },
    options,
  );
}

async function store({ output }: Cli, account: Account, input: Import, { json }: Options): Promise<void> {
  const { connection } = await (await openConnect(account)).import(input);
  if (json) output.json({ connection });
  else output.say(`Imported ${selectorOf(connection)} (${connection.kind}).`);
}
