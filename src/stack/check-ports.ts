// Refuses to start anything while a port is taken, with one line that says which port, which part needs it and what to
// do.
import { type Environment, isSet } from './environment-values.ts';
import type { PartTable } from './parts.ts';
import { PORTS, type PortName, type Ports } from './plan-ports.ts';
import { findPortFault, portProbe, type PortFault } from './probe-ports.ts';
import { LAST_GATEWAY_PORT } from './read-options.js';
import { StackError } from './stack-error.ts';

interface TakenPort {
  readonly part: string;
  readonly name: PortName;
  readonly port: number;
  readonly fault: PortFault;
}

const FIRST_OPEN_PORT = 1_024;
const USUAL_PORT = 4_000;
const SUGGESTION_STEP = 10;
const SUGGESTIONS = 50;

/** The embedded PostgreSQL is not checked: it may already be running, and takes another port if it has to. */
export async function checkPorts(
  table: PartTable,
  selected: readonly string[],
  ports: Ports,
  environment: Environment,
): Promise<void> {
  const taken: TakenPort[] = [];
  const seen = new Map<number, string>();
  for (const part of selected) {
    for (const name of table[part]?.ports ?? []) {
      if (name === 'postgres') continue;
      const port = ports[name];
      const other = seen.get(port);
      if (other !== undefined)
        throw new StackError(`port ${port} is given to both ${other} and ${part}: change ${PORTS[name].variable}`);
      seen.set(port, part);
      const fault = await findPortFault(port, name === 'gateway' ? 'everywhere' : 'loopback');
      if (fault !== undefined) taken.push({ part, name, port, fault });
    }
  }
  if (taken.length > 0)
    throw new StackError(`${describeFaults(taken)}: ${await describeWayOut(taken, ports.gateway, environment)}`);
}

function describeFaults(taken: readonly TakenPort[]): string {
  const groups = Map.groupBy(taken, ({ fault }) => fault);
  return [...groups]
    .map(
      ([fault, ports]) =>
        `port${ports.length === 1 ? '' : 's'} ${ports.map(({ part, port }) => `${port} (${part})`).join(', ')} ${ports.length === 1 ? 'is' : 'are'} ${fault}`,
    )
    .join('; ');
}

async function describeWayOut(taken: readonly TakenPort[], gateway: number, environment: Environment): Promise<string> {
  // A port that is set by its own variable does not move with --port.
  const given = taken.filter(({ name }) => name !== 'gateway' && isSet(environment[PORTS[name].variable]));
  const stop = taken.some(({ fault }) => fault === 'already in use')
    ? [taken.length === 1 ? 'stop the program that uses it' : 'stop the programs that use them']
    : [];
  const variables = given.length === 0 ? [] : [`change ${given.map(({ name }) => PORTS[name].variable).join(', ')}`];
  const move =
    given.length === taken.length
      ? []
      : [`start on other ports, for example with npm start -- --port ${await suggestPort(gateway)}`];
  return [...stop, ...variables, ...move].join(', or ');
}

/** A gateway port for which all the ports derived from it are free as well. */
async function suggestPort(gateway: number): Promise<number> {
  const base = gateway < FIRST_OPEN_PORT ? USUAL_PORT : gateway + SUGGESTION_STEP;
  const offsets = Object.values(PORTS).map(({ offset }) => offset);
  for (let i = 0; i < SUGGESTIONS; i++) {
    const first = base + i * SUGGESTION_STEP;
    if (first > LAST_GATEWAY_PORT) break;
    const free = await Promise.all(offsets.map((offset) => portProbe.isFree(first + offset)));
    if (free.every(Boolean) && (await findPortFault(first, 'everywhere')) === undefined) return first;
  }
  return base > LAST_GATEWAY_PORT ? USUAL_PORT : base;
}
