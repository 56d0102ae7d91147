import { expect, it } from 'vitest';
import { parseNetworks } from '../base/networks.ts';
import { findClientAddress } from './client-address.ts';

const trusted = parseNetworks('10.0.0.0/8');

it.each([
  ['a peer that is no trusted proxy is the client, whatever it says', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a trusted proxy names its client', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  [
    'what the client wrote itself stands further left and is not read',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1',
    '198.51.100.1',
  ],
  [
    'a chain of trusted proxies is followed to its beginning',
    '10.0.0.1',
    '198.51.100.1, 10.0.0.2,10.0.0.3',
    '198.51.100.1',
  ],
  ['an address of IPv4 in IPv6 is the IPv4 address', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['a client inside the trusted network is taken as it is', '10.0.0.1', '10.0.0.7', '10.0.0.7'],
  ['nonsense ends the reading', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['an empty list says nothing', '10.0.0.1', '', '10.0.0.1'],
])('%s', (_rule, peer, forwardedFor, client) => {
  expect(findClientAddress(trusted, peer, forwardedFor)).toBe(client);
});

it('believes nobody while no proxy is named', () => {
  expect(findClientAddress(undefined, '10.0.0.1', '198.51.100.1')).toBe('10.0.0.1');
  expect(findClientAddress(trusted, '10.0.0.1', undefined)).toBe('10.0.0.1');
});
