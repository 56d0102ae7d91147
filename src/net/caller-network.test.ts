import { expect, it } from 'vitest';
import { callerNetwork } from './caller-network.ts';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2a00:1450:4001:82a::200e', '2a00:1450:4001:82a::/64'],
  ['2A00:1450:4001:082A:ffff:1:2:3', '2a00:1450:4001:82a::/64'],
  ['[2a00:1450:4001:82a::1]', '2a00:1450:4001:82a::/64'],
  ['2a00:1450:4001:82b::1', '2a00:1450:4001:82b::/64'],
  ['2a00::', '2a00:0:0:0::/64'],
  ['::1', 'this machine'],
  ['127.0.0.1', 'this machine'],
  ['::ffff:127.0.0.1', 'this machine'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['unknown', 'unknown'],
])('counts %s as %s', (address, network) => expect(callerNetwork(address)).toBe(network));
