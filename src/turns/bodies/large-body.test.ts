import { expect, it } from 'vitest';
import { watchLargeJson } from '../../../test/support/models/large-json.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { declaredAt, findModel } from '../../catalog/model-catalog.ts';
import type { NeutralRequest } from '../../model-providers/codecs/neutral.ts';
import type { Route } from '../decide-turn.ts';
import { buildProviderRequest } from '../address-request.ts';
import { createLargeBody, prepareConversation } from './large-body.ts';

const URLS = { openai: 'http://openai.test', anthropic: 'http://anthropic.test' };
const LONG = 'Grüße "世界" '.repeat(100_000);

function routeTo(name: string, provider: string): Route {
  const model = findModel(loadModels(undefined), name) ?? expect.unreachable();
  const declared = declaredAt(model, provider) ?? expect.unreachable();
  return {
    model,
    provider,
    upstreamModel: declared.model,
    declared,
    credential: { kind: 'platform', key: 'sk-secret' },
  };
}

it('a large question is read on a thread, with its text', async () => {
  const watched = watchLargeJson();
  const body = Buffer.from(JSON.stringify({ model: 'm', message: { text: LONG } }));
  const { head } = await createLargeBody(body, 'question', undefined).read();
  watched.stop();
  expect([(head['message'] as { text: string }).text === LONG, watched.seen]).toEqual([true, []]);
});

it.each([
  ['openai/gpt-5-mini', 'openai'],
  ['anthropic/claude-sonnet-4-5', 'anthropic'],
])(
  'a large conversation with %s is prepared on a thread as it would be here, bound and address included',
  async (name, provider) => {
    const route = routeTo(name, provider);
    const request: NeutralRequest = {
      model: name,
      system: ['Be brief.'],
      messages: [{ role: 'user', parts: [{ type: 'text', text: LONG }] }],
      tools: [],
      stop: [],
      stream: true,
    };
    const here = buildProviderRequest(route, { surface: undefined, request }, URLS);
    const there = await prepareConversation(route, request, URLS, new AbortController().signal);
    expect(String(there.upstream.body) === String(here.upstream.body)).toBe(true);
    const rest = { ...here, upstream: { ...here.upstream, body: '' } };
    expect({ ...there, upstream: { ...there.upstream, body: '' } }).toEqual(rest);
  },
);

it('a client that leaves takes its body back from the thread', async () => {
  const leaving = new AbortController();
  const reading = createLargeBody(Buffer.from(JSON.stringify({ text: LONG })), 'question', leaving.signal).read();
  leaving.abort(new Error('left'));
  await expect(reading).rejects.toThrow('left');
});
