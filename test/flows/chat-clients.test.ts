// The libraries that most programs are written with, unchanged, in processes of their own: a loop with a tool, a stream,
// a refusal and an abort on models of both providers. `npm run test:clients` has the others, and every credential.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBroken } from '../clients/arrival-rules.ts';
import { type Brain, keyOf, startBrain } from '../clients/brain/start-brain.ts';
import { MODELS, type Provider } from '../clients/open-world.ts';
import { runScript, type Script, SCRIPTS } from '../clients/run-script.ts';
import type { StepName } from '../clients/steps.ts';
import { type ChatGateway, startChatGateway } from '../support/http/chat-gateway.ts';

const OWN = { openai: 'sk-own', anthropic: 'sk-ant-own' } as const;
const STEPS: readonly StepName[] = ['tools', 'streamedTools', 'thinking', 'stream', 'refused', 'abort'];
const LIBRARIES: readonly (Script & { readonly name: string })[] = [
  { name: "OpenAI's, Chat Completions", surface: 'openai', line: ['openai-chat.mjs'] },
  { name: "OpenAI's, Responses", surface: 'openai', line: ['openai-responses.mjs'] },
  { name: "Anthropic's", surface: 'anthropic', line: ['anthropic.mjs'] },
  { name: 'AI SDK, Chat Completions', surface: 'openai', line: ['ai.mjs', 'chat'] },
];

let brain: Brain;
let gateway: ChatGateway;
let token: string;
let home: string;
beforeAll(async () => {
  brain = await startBrain();
  gateway = await startChatGateway({ OPENAI_API_URL: brain.url, ANTHROPIC_API_URL: brain.url });
  const member = await gateway.newMember();
  const { globalId, defaultId } = member.organization;
  for (const provider of ['openai', 'anthropic'] as const)
    for (const scope of [globalId, defaultId]) await member.saveKey(provider, scope, OWN[provider]);
  token = await member.token();
  home = await mkdtemp(join(tmpdir(), 'service-client-'));
  await mkdir(join(home, 'project'));
});
afterAll(async () => {
  await gateway?.close();
  await brain?.stop();
  await rm(home, { recursive: true, force: true });
});

describe.each(LIBRARIES)('$name', (library) => {
  it.each(Object.entries(MODELS) as [Provider, string][])('on a model of %s', async (provider, model) => {
    const from = brain.requests.length;
    const arrived = () => brain.requests.slice(from);
    const outcomes = await runScript(
      {
        provider,
        credential: 'own-key',
        model,
        origin: gateway.url,
        token,
        word: `heron${randomBytes(4).toString('hex')}`,
        place: { home, project: join(home, 'project'), path: [] },
        arrived,
      },
      library,
      SCRIPTS,
      STEPS,
    );
    expect(outcomes.filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(outcomes.map(({ step }) => step)).toEqual(expect.arrayContaining(['tools', 'stream', 'refused', 'abort']));
    expect(arrived().flatMap((request) => findBroken(request, 'own-key'))).toEqual([]);
    expect(new Set(arrived().map(keyOf))).toEqual(new Set([OWN[provider]]));
  });
});
