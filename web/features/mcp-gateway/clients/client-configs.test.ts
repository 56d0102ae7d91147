import { describe, expect, it } from 'vitest';
import {
  CLIENT_IDS,
  type ClientOptions,
  CLIENTS,
  mcpAddress,
  noteFor,
  signText,
  snippetsFor,
  TOKEN,
} from './client-configs.ts';

const plain: ClientOptions = { origin: 'https://apps.example.com', workspace: undefined, search: false, sign: 'token' };

describe('the configuration of an MCP client', () => {
  it('has the real address, with the workspace and tool search if requested', () => {
    expect(mcpAddress(plain)).toBe('https://apps.example.com/connect/mcp');
    expect(mcpAddress({ ...plain, workspace: 'lab', search: true })).toBe(
      'https://apps.example.com/connect/mcp?workspace=lab&tools=search',
    );
  });

  it.each(CLIENT_IDS)(
    'leads %s to this service, with a place for the token and never without one when it needs it',
    (client) => {
      for (const sign of ['oauth', 'token'] as const) {
        const text = snippetsFor(client, { ...plain, workspace: 'lab', search: true, sign })
          .map((snippet) => snippet.text)
          .join('\n');
        expect(text).toContain('https://apps.example.com');
        expect(text).toMatch(/tools=search|--search/);
        expect(text).toContain('lab');
        const hasPlace = text.includes(TOKEN) || text.includes('${input:service-token}');
        expect(hasPlace).toBe(sign === 'token' || !CLIENTS[client].oauth);
      }
    },
  );

  it('says what to know of the way in which the client signs in, and nothing of the other', () => {
    for (const client of CLIENT_IDS) {
      expect(noteFor(client, 'oauth'), client).not.toMatch(/token/i);
      expect(noteFor(client, 'token'), client).not.toMatch(/browser|signs you in/i);
    }
  });

  it('says how the token is used', () => {
    expect(signText('cursor', 'token')).toContain(TOKEN);
    expect(signText('vs-code', 'token')).not.toContain(TOKEN);
    expect(signText('vs-code', 'oauth')).toBe(signText('cursor', 'oauth'));
  });

  it('is valid JSON where a client takes JSON', () => {
    for (const client of ['claude-desktop', 'servicectl', 'cursor', 'vs-code', 'generic'] as const) {
      for (const { text } of snippetsFor(client, plain)) expect(() => JSON.parse(text), client).not.toThrow();
    }
    expect(JSON.parse(snippetsFor('servicectl', { ...plain, search: true })[0]?.text ?? '')).toEqual({
      mcpServers: {
        apps: {
          command: 'servicectl',
          args: ['mcp', '--search'],
          env: { SERVICE_URL: 'https://apps.example.com', SERVICE_TOKEN: TOKEN },
        },
      },
    });
  });
});
