import { expect, it } from 'vitest';
import { isOwnResource } from './metadata.ts';

const OURS = 'https://service.example';

it.each([
  'https://service.example/connect/mcp',
  'https://service.example/connect/mcp/',
  'https://SERVICE.example/connect',
  'https://service.example',
  'https://service.example/',
  'https://service.example:443',
])('knows %s for this service', (resource) => expect(isOwnResource(resource, OURS)).toBe(true));

it.each([
  'https://other.example/connect/mcp',
  'http://service.example/connect/mcp',
  'https://service.example/connect/mcp#x',
  'https://service.example/connect/mcp?x=1',
  'https://service.example:8443',
  'https://service.example.evil.example',
  'connect/mcp',
  '',
])('does not take %s for this service', (resource) => expect(isOwnResource(resource, OURS)).toBe(false));
