// Refuses to start anything while a port is taken, in one line that says which, for whom and what to do.
import type { PartTable } from './parts.ts';
import { PORTS, type Ports } from './plan-ports.ts';
import { findPortFault, type PortFault } from './probe-ports.ts';
import { StackError } from './stack-error.ts';

/** The embedded PostgreSQL is not checked: it may be running already, and takes another port if it must. */
export async function checkPorts(table: PartTable, selected: readonly string[], ports: Ports): Promise<void> {
  const faults: { part: string; port: number; variable: string; fault: PortFault }[] = [];
  const seen = new Map<number, string>();
  for (const part of selected) {
    for (const name of table[part]?.ports ?? []) {
      if (name === 'postgres') continue;
      const port = ports[name];
      const { variable } = PORTS[name];
      const other = seen.get(port);
      if (other !== undefined) throw new StackError(`port ${port} is given to both ${other} and ${part}: change ${variable}`);
      seen.set(port, part);
      const fault = await findPortFault(port, name === 'gateway' ? 'everywhere' : 'loopback');
      if (fault !== undefined) faults.push({ part, port, variable, fault });
    }
  }
  if (faults.length > 0) throw new StackError(describe(faults));
}

function describe(faults: readonly { part: string; port: number; variable: string; fault: PortFault }[]): string {
  const list = faults.map(({ part, port, fault }) => `port ${port} (${part}) is ${fault}`).join(', ');
  return `${list}: stop what uses it, or choose other ports with --port or ${faults.map(({ variable }) => variable).join(', ')}`;
}
