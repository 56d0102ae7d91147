import { expect, it } from 'vitest';
import { parseNetworks } from './networks.ts';

it('knows the addresses of its networks, and no others', () => {
  const networks = parseNetworks('10.0.0.0/8, 192.0.2.7,fd00::/8');
  for (const inside of ['10.1.2.3', '192.0.2.7', 'fd12::1']) expect(networks?.has(inside), inside).toBe(true);
  for (const outside of ['11.0.0.1', '192.0.2.8', 'fe80::1', '', 'ten', '10.0.0.0/8', '10.0.0.1:80'])
    expect(networks?.has(outside), outside).toBe(false);
});

it('refuses a list with an entry that is not a network', () => {
  for (const bad of [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    'localhost',
    '10.0.0.1,',
    '::1/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '*',
  ])
    expect(parseNetworks(bad), bad).toBeUndefined();
});
