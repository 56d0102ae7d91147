import { expect, it } from 'vitest';
import { deriveSurface } from './derive-surface.ts';

const tools = [
  {
    name: 'x',
    description: 'x',
    access: 'read',
    method: 'GET',
    path: '/x',
    pathParameters: [],
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
] as const;
const command = { cli: 'x' };
const mcp = { url: 'https://x.example.com' };
const resource = { kind: 'atlassian', product: 'jira' } as const;

it.each([
  ['typed-proxy', { tools }],
  ['typed-proxy', { tools, command }],
  ['typed-proxy', { tools, command, mcp, resource }],
  ['command-auth', { command, mcp, resource }],
  ['provider-mcp', { mcp, resource }],
  ['resource-aware-get', { resource }],
  ['compatibility-read', {}],
] as const)('derives %s from the fields alone, proxy tools first', (surface, manifest) => {
  expect(deriveSurface(manifest)).toBe(surface);
});
