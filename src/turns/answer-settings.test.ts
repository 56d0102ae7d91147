// Every level that is offered for a model of the built-in catalogue reaches its provider, and nothing else is taken.
import { describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import { loadModels } from '../catalog/load-models.ts';
import type { CatalogModel, DeclaredProvider } from '../catalog/model-catalog.ts';
import { EFFORTS } from '../contract/models.ts';
import type { NeutralRequest } from '../model-providers/codecs/neutral.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import { settingsOf, withSettings } from './answer-settings.ts';
import type { Credential, Route } from './decide-turn.ts';
import { buildProviderRequest } from './address-request.ts';
import type { ProviderRequest } from './provider-request.ts';

const URLS = { openai: 'https://openai.test', anthropic: 'https://anthropic.test' };
const OWN: Credential = { kind: 'own-key', key: 'k' };
const PLATFORM: Credential = { kind: 'platform', key: 'k' };
const ACCOUNT: Credential = {
  kind: 'models-account',
  protocol: 'chat',
  auth: 'bearer',
  key: 'k',
  baseUrl: 'https://account.test/v1',
  takesEffort: true,
};

const CALLED = loadModels(undefined, { now: new Date('2026-11-01') }).models.flatMap((model) =>
  model.modality === 'chat'
    ? model.providers
        .filter(({ provider }) => provider in URLS)
        .map((declared) => ({ name: `${model.id} at ${declared.provider}`, model, declared }))
    : [],
);
const QUESTION: NeutralRequest = {
  model: 'm',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  stop: [],
  stream: true,
};

const routeTo = (model: CatalogModel, declared: DeclaredProvider, credential: Credential): Route => ({
  model,
  provider: declared.provider,
  upstreamModel: declared.model,
  credential,
  declared,
});

function send(route: Route, wanted: Parameters<typeof withSettings>[2]): ProviderRequest & { readonly body: Loose } {
  const built = buildProviderRequest(
    route,
    { surface: undefined, request: withSettings(QUESTION, route, wanted) },
    URLS,
  );
  return { ...built, body: JSON.parse(String(built.upstream.body)) as Loose };
}

/** The effort as the body states it, whichever protocol it is. */
function effortIn(body: Loose): unknown {
  const { reasoning_effort: chat, reasoning, output_config: config, thinking } = body as Record<string, Loose>;
  if (thinking?.['type'] === 'enabled')
    return { 2048: 'low', 8192: 'medium', 16384: 'high' }[String(thinking['budget_tokens'])];
  return chat ?? reasoning?.['effort'] ?? config?.['effort'];
}

function faultOf(action: () => unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof AppError && error.code === 'setting_not_supported' ? error.details : { error };
  }
}

describe.each(CALLED)('$name', ({ model, declared }) => {
  const route = routeTo(model, declared, OWN);
  const { efforts, temperature } = settingsOf(route);

  it('gets every effort that is offered, in its own form', () => {
    for (const effort of efforts) {
      const { body, leftOut } = send(route, { effort });
      expect(leftOut).toEqual([]);
      // On Anthropic's models, thinking that nobody asks for is off.
      if (effort === 'none' && declared.provider === 'anthropic')
        expect([undefined, 'disabled']).toContain((body['thinking'] as Loose | undefined)?.['type']);
      else expect(effortIn(body)).toBe(effort);
    }
  });

  it('refuses every other effort by name', () => {
    for (const effort of EFFORTS.filter((each) => !efforts.includes(each)))
      expect(faultOf(() => send(route, { effort }))).toMatchObject({ model: model.id, effort: expect.any(String) });
  });

  it('gets a temperature where one is offered, and refuses it elsewhere', () => {
    const off = efforts.includes('none') ? { effort: 'none' as const } : {};
    if (temperature === undefined)
      return expect(faultOf(() => send(route, { ...off, temperature: 0.5 }))).toMatchObject({
        temperature: 'is not taken by this model',
      });
    expect(send(route, { ...off, temperature: 0.5 }).body['temperature']).toBe(0.5);
    expect(faultOf(() => send(route, { ...off, temperature: temperature.max + 0.1 }))).toMatchObject({
      temperature: `must be at most ${temperature.max}`,
    });
    if (temperature.when === 'unless-reasoning')
      expect(faultOf(() => send(route, { effort: 'high', temperature: 0.5 }))).toMatchObject({
        temperature: 'is taken by this model only with the effort "none"',
      });
  });

  it('reserves the same output on platform credit, however much it reasons', () => {
    if (!declared.price) return;
    const paid = routeTo(model, declared, PLATFORM);
    const plain = send(paid, {}).bound?.outputTokens;
    expect(plain).toBeGreaterThan(0);
    for (const effort of efforts) expect(send(paid, { effort }).bound?.outputTokens).toBe(plain);
  });
});

it('does not offer the highest effort behind a Models account, which has no Responses API', () => {
  const found = CALLED.find(({ model }) => model.id === 'openai/gpt-6-sol');
  if (!found) throw new Error('the catalogue has no such model');
  expect(settingsOf(routeTo(found.model, found.declared, OWN)).efforts).toContain('max');
  const atAccount = routeTo(found.model, found.declared, ACCOUNT);
  expect(settingsOf(atAccount).efforts).not.toContain('max');
  expect(send(atAccount, { effort: 'xhigh' }).body['reasoning_effort']).toBe('xhigh');
});

it('leaves a request alone for which nothing is set', () => {
  const [first] = CALLED;
  if (!first) throw new Error('the catalogue is empty');
  expect(withSettings(QUESTION, routeTo(first.model, first.declared, OWN), {})).toBe(QUESTION);
});
