import { expect, it } from 'vitest';
import { isOwnOrigin } from './mcp-endpoint.ts';

it.each([
  ['https://app.test', 'app.test', true],
  ['https://app.test:8443', 'app.test', false],
  ['http://app.test', 'app.test', false],
  ['https://evil.test', 'evil.test', false],
  ['http://localhost:4000', 'localhost:4000', true],
  ['http://127.0.0.1:4000', '127.0.0.1:4000', true],
  ['http://[::1]:4000', '[::1]:4000', true],
  ['http://localhost:4000', 'localhost:5000', false],
  ['http://localhost.evil.test:4000', 'localhost.evil.test:4000', false],
  ['null', 'app.test', false],
])('%s at %s: %s', (origin, host, own) => expect(isOwnOrigin(origin, host, 'https://app.test')).toBe(own));
