import { describe, expect, it } from 'vitest';
import { CHAT_CLIENT_IDS, CHAT_TOKEN, type ChatClientOptions, chatSnippetsFor } from './chat-clients.ts';

const OPTIONS: ChatClientOptions = {
  origin: 'https://models.example.com',
  model: 'openai/gpt-5-mini',
  contextWindow: 400_000,
  maxOutputTokens: 128_000,
  token: undefined,
};
const textOf = (client: (typeof CHAT_CLIENT_IDS)[number], options: Partial<ChatClientOptions> = {}): string =>
  chatSnippetsFor(client, { ...OPTIONS, ...options })
    .map(({ text }) => text)
    .join('\n');

describe('the configuration of a chat API client', () => {
  it.each(CHAT_CLIENT_IDS)('points %s here with the model, and with the token once there is one', (client) => {
    expect(textOf(client)).toContain('https://models.example.com');
    expect(textOf(client)).toContain('openai/gpt-5-mini');
    expect(textOf(client)).toContain(CHAT_TOKEN);
    const made = textOf(client, { token: 'eyJ.made' });
    expect(made).toContain('eyJ.made');
    expect(made).not.toContain(CHAT_TOKEN);
  });

  it.each(CHAT_CLIENT_IDS)('gives each part of %s a title of its own', (client) => {
    const titles = chatSnippetsFor(client, OPTIONS).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('gives the address without /v1 to clients that add it themselves', () => {
    for (const client of ['claude-code', 'anthropic-typescript'] as const) expect(textOf(client)).not.toContain('/v1');
    for (const client of ['codex', 'opencode', 'qwen-code', 'openai-typescript', 'ai-sdk', 'langchain'] as const)
      expect(textOf(client)).toContain('https://models.example.com/v1');
  });

  it('gives agents the context window unless they know it', () => {
    for (const client of ['claude-code', 'codex', 'opencode'] as const) expect(textOf(client)).toContain('400000');
    expect(textOf('claude-code', { model: 'anthropic/claude-sonnet-5' })).not.toContain('COMPACT');
  });

  it('leaves Claude Code no model of its own choice', () =>
    expect(
      textOf('claude-code')
        .split('\n')
        .filter((line) => line.endsWith('="openai/gpt-5-mini"')),
    ).toEqual(
      [
        'ANTHROPIC_MODEL',
        'ANTHROPIC_DEFAULT_OPUS_MODEL',
        'ANTHROPIC_DEFAULT_SONNET_MODEL',
        'ANTHROPIC_DEFAULT_HAIKU_MODEL',
        'CLAUDE_CODE_SUBAGENT_MODEL',
      ].map((variable) => `export ${variable}="openai/gpt-5-mini"`),
    ));

  it('is valid JSON', () => {
    const texts = CHAT_CLIENT_IDS.flatMap((client) => chatSnippetsFor(client, OPTIONS))
      .filter(({ language }) => language === 'json')
      .map(({ text }) => text);
    expect(texts.map((text) => Object.keys(JSON.parse(text) as object))).toEqual([['$schema', 'model', 'provider']]);
  });
});
