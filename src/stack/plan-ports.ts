// Which port each part takes: the one its variable sets, or else one next to the gateway's port.
import { isSet, type Environment } from './environment-values.ts';
import { LAST_GATEWAY_PORT } from './read-options.js';
import { EXIT_CONFIG, StackError } from './stack-error.ts';

export interface PortRow {
  readonly variable: string;
  /** Distance from the gateway's port. */
  readonly offset: number;
  /** Used instead of the offset if both customary ports are free. */
  readonly customary?: number;
  /** Use any free port if the one at the offset is taken. */
  readonly orAny?: true;
}

export const PORTS = {
  gateway: { variable: 'SERVICE_GATEWAY_PORT', offset: 0 },
  web: { variable: 'SERVICE_WEB_PORT', offset: 1 },
  runtime: { variable: 'SERVICE_RUNTIME_PORT', offset: 2 },
  broker: { variable: 'SERVICE_BROKER_PORT', offset: 3 },
  integrations: { variable: 'SERVICE_LOCAL_INTEGRATIONS_PORT', offset: 4, customary: 3003 },
  integrationsConnect: { variable: 'SERVICE_LOCAL_INTEGRATIONS_CONNECT_PORT', offset: 5, customary: 3009 },
  postgres: { variable: 'SERVICE_POSTGRES_PORT', offset: 6, orAny: true },
  demoProviders: { variable: 'SERVICE_DEMO_PROVIDERS_PORT', offset: 7, orAny: true },
  mailbox: { variable: 'SERVICE_LOCAL_MAILBOX_PORT', offset: 8, orAny: true },
  mailboxSmtp: { variable: 'SERVICE_LOCAL_MAILBOX_SMTP_PORT', offset: 9, orAny: true },
} as const satisfies Record<string, PortRow>;

export type PortName = keyof typeof PORTS;
export type Ports = Readonly<Record<PortName, number>>;

const LAST_PORT = 65_535;

export interface PortProbe {
  isFree(port: number): Promise<boolean>;
  findFree(): Promise<number>;
}

/** Plans every port, wanted or not, so that all parts agree on the addresses; only wanted ones are probed. */
export async function planPorts(
  first: number,
  environment: Environment,
  wanted: ReadonlySet<PortName>,
  probe: PortProbe,
): Promise<Ports> {
  const customaryFree =
    wanted.has('integrations') &&
    (await everyFree([PORTS.integrations.customary, PORTS.integrationsConnect.customary], probe));
  const plan = {} as Record<PortName, number>;
  for (const [name, row] of Object.entries<PortRow>(PORTS) as [PortName, PortRow][]) {
    const given = name === 'gateway' ? String(first) : environment[row.variable];
    if (isSet(given)) plan[name] = Number(given);
    else if (row.customary !== undefined && customaryFree) plan[name] = row.customary;
    else if (
      row.orAny &&
      wanted.has(name) &&
      first + row.offset <= LAST_PORT &&
      !(await probe.isFree(first + row.offset))
    )
      plan[name] = await probe.findFree();
    else plan[name] = first + row.offset;
  }
  for (const [name, port] of Object.entries(plan) as [PortName, number][]) {
    if (port > LAST_PORT)
      throw new StackError(
        `${PORTS.gateway.variable} takes a port number from 1 to ${LAST_GATEWAY_PORT} here, because the other ports follow it; or set ${PORTS[name].variable}`,
        EXIT_CONFIG,
      );
  }
  return plan;
}

async function everyFree(ports: readonly number[], probe: PortProbe): Promise<boolean> {
  for (const port of ports) if (!(await probe.isFree(port))) return false;
  return true;
}
