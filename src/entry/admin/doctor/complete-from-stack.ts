// Under npm start the parts have an environment that the operator's shell lacks: generated secrets and chosen
// addresses. The doctor reads them from the files of npm start; variables that the shell sets win, as they do there.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findProcess } from '../../../process/find-process.ts';
import { type Environment, isSet } from '../../../stack/environment-values.ts';
import { PORTS } from '../../../stack/plan-ports.ts';
import { parseSecrets } from '../../../stack/secrets-file.ts';
import { type StackState, findStackState } from '../../../stack/stack-file.ts';

export async function completeFromStack(
  given: Environment,
): Promise<{ environment: Environment; stack: StackState | undefined }> {
  const directory = resolve([given['SERVICE_DATA_DIR'], given['DATA_DIR']].find(isSet) ?? '.data');
  const stack = await findStackState(join(directory, 'stack.json'));
  const secrets = await readFile(join(directory, '.env'), 'utf8')
    .then(
      (text) => parseSecrets(text, '.env'),
      () => ({}),
    )
    .catch(() => ({}));
  const known: Record<string, string> = { ...secrets, ...(stack ? addressesOf(stack) : {}) };
  const environment: Record<string, string | undefined> = { ...given };
  for (const [name, value] of Object.entries(known)) if (!isSet(environment[name])) environment[name] = value;
  return { environment, stack };
}

function addressesOf(state: StackState): Record<string, string> {
  const { databaseUrl, schema, publicUrl, parts, gatewayHost = 'localhost', allowPrivateUrls = true } = state;
  const found: Record<string, string> = {
    SERVICE_UPSTREAM_DB: databaseUrl,
    SERVICE_DB_SCHEMA: schema,
    SERVICE_PUBLIC_URL: publicUrl,
    SERVICE_ALLOW_PRIVATE_URLS: allowPrivateUrls ? '1' : '0',
    SERVICE_GATEWAY_HOST: gatewayHost,
  };
  const portOf = (part: string): number | undefined => parts[part]?.port;
  for (const [part, { variable }] of [
    ['gateway', PORTS.gateway],
    ['web', PORTS.web],
    ['runtime-api', PORTS.runtime],
    ['broker', PORTS.broker],
  ] as const) {
    const port = portOf(part);
    if (port !== undefined) found[variable] = String(port);
  }
  const sandbox = parts['sandbox']?.url;
  if (sandbox !== undefined) found['SERVICE_SANDBOX_URL'] = sandbox;
  const [integrations, demo] = [portOf('local-integrations'), portOf('demo-providers')];
  const smtpPort = parts['local-mailbox']?.smtpPort;
  if (smtpPort !== undefined) {
    found['SERVICE_SMTP_URL'] = `smtp://127.0.0.1:${smtpPort}`;
    found['SERVICE_MAIL_FROM'] = 'Service <service@localhost>';
  }
  if (integrations !== undefined) found['SERVICE_INTEGRATIONS_URL'] = `http://127.0.0.1:${integrations}`;
  if (demo !== undefined) found['SERVICE_DEMO_PROVIDERS'] = '1';
  return found;
}

/** Whether the stack that wrote this is still running. */
export function isRunning({ pid }: StackState): boolean {
  return findProcess(pid) !== undefined;
}
