// The environment of the stack as a whole: what was given, completed by what npm start decides. Each part gets its
// share of it (part-environment.ts).
import { isLoopbackHost } from '../net/addresses.ts';
import { type Environment, isSet } from './environment-values.ts';
import { PORTS, type Ports } from './plan-ports.ts';
import { PROVIDERS } from '../model-providers/providers.ts';

export interface StackChoices {
  readonly dataDirectory: string;
  readonly ports: Ports;
  readonly selected: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  /** The URL of the embedded server, if it is used. */
  readonly databaseUrl?: string;
}

export function stackEnvironment(given: Environment, choices: StackChoices): Record<string, string> {
  const { ports, selected, databaseUrl } = choices;
  // What is convenient on a developer's machine, and not for strangers who sign up from the network.
  const isLocal = !isSet(given.SERVICE_GATEWAY_HOST) || isLoopbackHost(given.SERVICE_GATEWAY_HOST);
  const defaults: Record<string, string> = {
    SERVICE_ALLOW_PRIVATE_URLS: isLocal ? '1' : '0',
    // On a developer's machine only that machine may connect.
    SERVICE_GATEWAY_HOST: 'localhost',
    // If no driver is safe, everything else still comes up, and runs are refused with the reason.
    SERVICE_SANDBOX_WHEN_UNSAFE: 'refuse',
    // On a developer's machine the runs are trusted: weak limits are better than no runs. Isolation is never weaker.
    SERVICE_SANDBOX_ALLOW_WEAK: isLocal ? '1' : '0',
    // The person who pressed Ctrl-C waits for it.
    SERVICE_DRAIN_SECONDS: '3',
    ...choices.secrets,
  };
  const decided: Record<string, string> = { SERVICE_DATA_DIR: choices.dataDirectory };
  for (const name of Object.keys(PORTS) as (keyof typeof PORTS)[]) decided[PORTS[name].variable] = String(ports[name]);
  if (databaseUrl !== undefined) decided.SERVICE_UPSTREAM_DB = databaseUrl;
  if (selected.includes('local-integrations')) {
    decided.SERVICE_INTEGRATIONS_URL = `http://127.0.0.1:${ports.integrations}`;
    defaults.SERVICE_INTEGRATIONS_CONNECT_URL = `http://127.0.0.1:${ports.integrationsConnect}`;
    defaults.SERVICE_INTEGRATIONS_PUBLIC_URL = `${isSet(given.SERVICE_PUBLIC_URL) ? given.SERVICE_PUBLIC_URL.trim().replace(/\/+$/, '') : `http://localhost:${ports.gateway}`}/integrations`;
  }
  if (selected.includes('demo-providers')) {
    const url = `http://127.0.0.1:${ports.demoProviders}`;
    Object.assign(decided, {
      SERVICE_DEMO_PROVIDERS: '1',
      ...Object.fromEntries(
        Object.values(PROVIDERS).flatMap(({ urlVariable, keyVariable, keyPrefix }) => [
          [urlVariable, url],
          [keyVariable, `${keyPrefix}demo`],
        ]),
      ),
    });
  }
  if (selected.includes('local-mailbox')) {
    decided.SERVICE_SMTP_URL = `smtp://127.0.0.1:${ports.mailboxSmtp}`;
    decided.SERVICE_MAIL_FROM = 'Service <service@localhost>';
  }

  const environment: Record<string, string> = { ...defaults };
  for (const [name, value] of Object.entries(given)) if (isSet(value)) environment[name] = value;
  // "off" means no integration provider at all, which the parts see as an unset variable.
  if (environment.SERVICE_INTEGRATIONS_URL?.trim() === 'off') delete environment.SERVICE_INTEGRATIONS_URL;
  // The same for mail: without a server there is no sender.
  if (environment.SERVICE_SMTP_URL?.trim() === 'off') {
    delete environment.SERVICE_SMTP_URL;
    delete environment.SERVICE_MAIL_FROM;
  }
  return { ...environment, ...decided };
}
