// The commands of servicectl that need the server's code, environment or databases. One request in, one JSON value out;
// servicectl displays it. The response never contains a secret.
import { ConfigError } from '../base/config.ts';
import { restoreBackup } from './admin/backup/restore-backup.ts';
import { takeBackup } from './admin/backup/take-backup.ts';
import { verifyBackup } from './admin/backup/verify-backup.ts';
import { checkBundleFile, initBundleFile } from './admin/bundle-file.ts';
import { describeEnvironment } from './admin/describe-environment.ts';
import { diagnose } from './admin/doctor.ts';
import { reconcile, webhook } from './admin/integrations.ts';
import { describeModels } from './admin/describe-models.ts';
import { OperatorError } from './admin/operator-error.ts';
import { rewrap } from './admin/rewrap.ts';
import { writeSupport } from './admin/support/write-support.ts';

type Command = (request: Readonly<Record<string, unknown>>) => Promise<unknown>;

const COMMANDS: Readonly<Record<string, Command>> = {
  environment: async ({ check }) => describeEnvironment(check === true),
  doctor: ({ bundle, dataDirectory, production }) =>
    diagnose({ bundle: textOf(bundle), dataDirectory: textOf(dataDirectory), production: production === true }),
  support: ({ file, logs, bundle, dataDirectory }) =>
    writeSupport({
      file: String(file),
      logs: Array.isArray(logs) ? logs.map(String) : [],
      bundle: textOf(bundle),
      dataDirectory: textOf(dataDirectory),
    }),
  backup: ({ directory, bundle, provider }) =>
    takeBackup({ directory: String(directory), bundle: textOf(bundle), provider: textOf(provider) }),
  restore: ({ directory, provider }) => restoreBackup({ directory: String(directory), provider: textOf(provider) }),
  'verify-backup': ({ directory }) => verifyBackup(String(directory)),
  models: async ({ check }) => describeModels(textOf(check)),
  'rewrap-keys': ({ from, what }) => rewrap(what === 'connections' ? 'connections' : 'keys', String(from)),
  'bundle-init': ({ file }) => initBundleFile(String(file)),
  'bundle-check': ({ file, allowPlaceholders }) => checkBundleFile(String(file), allowPlaceholders === true),
  'integrations-reconcile': ({ mode }) => reconcile(mode === 'apply' ? 'apply' : 'check'),
  'integrations-webhook': ({ mode, environment }) =>
    webhook(mode === 'apply' ? 'apply' : 'check', typeof environment === 'number' ? environment : undefined),
};

const [name = '', request = '{}'] = process.argv.slice(2);
const answer = await answerCommand(name, request);
// An open connection somewhere must not keep the caller waiting.
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(answer.ok ? 0 : 1));

async function answerCommand(
  command: string,
  text: string,
): Promise<{ ok: boolean; result?: unknown; error?: string; next?: string }> {
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!run)
    return {
      ok: false,
      error: `there is no operator command '${command}'`,
      next: 'Use servicectl, which starts this program.',
    };
  try {
    return { ok: true, result: await run(JSON.parse(text) as Record<string, unknown>) };
  } catch (error) {
    if (error instanceof ConfigError)
      return {
        ok: false,
        error: error.message,
        next: 'Set the variable to a valid value; servicectl env lists them all.',
      };
    if (error instanceof OperatorError) return { ok: false, error: error.message, next: error.next };
    return {
      ok: false,
      error: error instanceof Error ? error.message : String(error),
      next: 'Fix what it names, then run it again.',
    };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
