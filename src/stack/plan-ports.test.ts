import { describe, expect, it } from 'vitest';
import { planPorts, PORTS, type PortName, type PortProbe } from './plan-ports.ts';
import { LAST_GATEWAY_PORT } from './read-options.js';

const ALL = new Set(Object.keys(PORTS) as PortName[]);
const probe = (...taken: number[]): PortProbe => ({
  isFree: (port) => Promise.resolve(!taken.includes(port)),
  findFree: () => Promise.resolve(50_000),
});

describe('the plan of ports', () => {
  it('follows the gateway and takes the customary ports of the integration provider', async () => {
    expect(await planPorts(4000, {}, ALL, probe())).toEqual({
      gateway: 4000,
      web: 4001,
      runtime: 4002,
      broker: 4003,
      integrations: 3003,
      integrationsConnect: 3009,
      postgres: 4006,
      demoProviders: 4007,
      mailbox: 4008,
      mailboxSmtp: 4009,
    });
  });

  it('gives the integration provider two ports beside the gateway when one customary port is taken', async () => {
    expect(await planPorts(4000, {}, ALL, probe(3009))).toMatchObject({
      integrations: 4004,
      integrationsConnect: 4005,
    });
  });

  it('lets every variable but the gateway own port override its row', async () => {
    for (const [name, { variable }] of Object.entries(PORTS)) {
      const expected = name === 'gateway' ? 4000 : 9_999;
      expect((await planPorts(4000, { [variable]: '9999' }, ALL, probe()))[name as PortName]).toBe(expected);
    }
  });

  it('counts an empty variable as absent', async () => {
    expect((await planPorts(4000, { SERVICE_WEB_PORT: ' ' }, ALL, probe())).web).toBe(4001);
  });

  it('moves PostgreSQL, the demo providers and the mailbox to any free port, and nothing else', async () => {
    expect(await planPorts(4000, {}, ALL, probe(4001, 4006, 4007, 4008, 4009))).toMatchObject({
      web: 4001,
      postgres: 50_000,
      demoProviders: 50_000,
      mailbox: 50_000,
      mailboxSmtp: 50_000,
    });
  });

  it('does not probe for a part that is not wanted', async () => {
    expect(await planPorts(4000, {}, new Set(['gateway'] as const), probe(4006))).toMatchObject({
      postgres: 4006,
      integrations: 4004,
    });
  });

  it('refuses a gateway port that leaves no room for the others, in one line, unless they are given', async () => {
    await expect(planPorts(65_534, {}, ALL, probe())).rejects.toThrow(
      /^SERVICE_GATEWAY_PORT takes a port number from 1 to 65526 [^\n]+ SERVICE_RUNTIME_PORT$/,
    );
    const given = Object.fromEntries(Object.values(PORTS).map(({ variable }, i) => [variable, String(9000 + i)]));
    expect((await planPorts(65_534, given, ALL, probe())).gateway).toBe(65_534);
  });

  it('leaves room for the others above the last port of the gateway', () => {
    expect(LAST_GATEWAY_PORT + Math.max(...Object.values(PORTS).map(({ offset }) => offset))).toBe(65_535);
  });
});
