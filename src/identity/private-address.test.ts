import { expect, it } from 'vitest';
import { isPrivateAddress } from './private-address.ts';

it.each(['127.0.0.1', '10.1.2.3', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '255.255.255.255', '::1', '[::1]', '::', 'fe80::1%eth0', 'fd00::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', 'ff02::1', 'localhost', ''])(
  'holds %s for private',
  (address) => expect(isPrivateAddress(address)).toBe(true),
);

it.each(['8.8.8.8', '172.32.0.1', '1.1.1.1', '2606:4700:4700::1111', '[2a00:1450:4001:80b::200e]'])('holds %s for public', (address) =>
  expect(isPrivateAddress(address)).toBe(false),
);
