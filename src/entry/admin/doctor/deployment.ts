// The input of every check: the operator's environment, parsed as the service would, without the values that it would
// refuse, so that one invalid value does not hide the rest.
import { readFile } from 'node:fs/promises';
import { dataDirectory, publicUrl } from '../../../net/addresses.ts';
import { type Config, ConfigError, readConfig } from '../../../base/config.ts';
import { ENVIRONMENT } from '../../../base/environment.ts';
import { createLog, type Log } from '../../../telemetry/log.ts';
import { RUNTIME_ROLES } from '../../../process/process-roles.ts';
import { withSecretFiles } from '../../../base/secret-files.ts';
import { readBundle } from '../../../base/secrets-bundle.ts';
import { isPrivateHost } from '../../../net/private-address.ts';
import { SECRET_READERS, type SecretName } from '../../../stack/secret-readers.ts';
import type { StackState } from '../../../stack/stack-file.ts';
import type { Database } from '../../../store/database.ts';
import { openStorage } from '../../../store/open-storage.ts';
import { completeFromStack } from './complete-from-stack.ts';

export interface Deployment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly config: Config;
  /** Variables whose values the service would refuse, with its message about each. */
  readonly refused: ReadonlyMap<string, string>;
  readonly directory: string;
  readonly publicUrl: string;
  /** Whether the public URL names a host that others can reach. */
  readonly exposed: boolean;
  /** The state file of npm start, if it runs. */
  readonly stack: StackState | undefined;
  /** A secrets bundle to check. */
  readonly bundle: string | undefined;
  /** The role whose environment this is, if `SERVICE_PROCESS_ROLE` says so. */
  readonly role: string | undefined;
  /** Whether a secret is missing because this role does not read it: deployments give each part only its own. */
  isWithheld(secret: SecretName): boolean;
  /** Silent. */
  readonly log: Log;
  /** Opened once, at the first call. */
  storage(): Promise<Database>;
  close(): Promise<void>;
}

export async function openDeployment(
  given: Readonly<Record<string, string | undefined>>,
  options: { readonly bundle?: string | undefined; readonly production: boolean },
): Promise<Deployment> {
  const { environment: complete, refused: unread } = withSecretFiles(given);
  const { environment, stack } = await completeFromStack(await completeFromBundle(complete, options.bundle));
  const role = RUNTIME_ROLES.find((one) => one === environment['SERVICE_PROCESS_ROLE']);
  const refused = new Map(unread);
  const readable: Record<string, string | undefined> = { ...environment };
  for (const name of Object.keys(ENVIRONMENT)) {
    try {
      readConfig({ [name]: environment[name] });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      refused.set(name, error.message);
      delete readable[name];
    }
  }
  const config = readConfig(readable);
  let opened: Promise<Database> | undefined;
  const log = createLog('servicectl', { ...config, SERVICE_LOG_LEVEL: 'silent' });
  const open = async (): Promise<Database> => openStorage(config, 'servicectl-doctor', log);
  return {
    environment,
    config,
    refused,
    directory: dataDirectory(config),
    publicUrl: publicUrl(config),
    exposed: options.production || !isPrivateHost(new URL(publicUrl(config)).hostname),
    stack,
    bundle: options.bundle,
    role,
    log,
    isWithheld: (secret) =>
      role !== undefined &&
      config[secret] === undefined &&
      !(SECRET_READERS[secret] as readonly string[]).includes(`runtime-${role}`),
    storage: () => (opened ??= open()),
    close: async () => await opened?.then((db) => db.close()).catch(() => undefined),
  };
}

/**
 * Variables that the shell does not set are taken from the bundle: an operator's shell has none of the deployment's.
 */
async function completeFromBundle(
  given: Readonly<Record<string, string | undefined>>,
  file: string | undefined,
): Promise<Record<string, string | undefined>> {
  const values = file === undefined ? {} : readBundle(await readFile(file, 'utf8').catch(() => ''));
  return { ...values, ...Object.fromEntries(Object.entries(given).filter(([, value]) => (value ?? '') !== '')) };
}
