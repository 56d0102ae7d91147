// Speech, images, moderations and compaction, passed on to the provider on an own key or a Models account only.
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';
import { type MediaProvider, SPEECH, startMediaProvider } from '../support/models/media-provider.ts';

let media: MediaProvider;
let gateway: ChatGateway;
let member: Member;
beforeAll(async () => {
  media = await startMediaProvider(['sk-own', 'account-key']);
  gateway = await startChatGateway({ OPENAI_API_URL: media.url });
});
afterAll(async () => {
  await gateway.close();
  await media.stop();
});
beforeEach(async () => {
  media.requests.length = 0;
  member = await gateway.newMember();
});

const saveKey = (): Promise<void> => member.saveKey('openai', member.organization.defaultId, 'sk-own');
const client = async (): Promise<OpenAI> =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: await member.token(), maxRetries: 0 });
const wave = (bytes = 100): Promise<File> => toFile(Buffer.alloc(bytes, 1), 'wave.wav');

async function logged(): Promise<unknown> {
  const { rows } = await gateway.db.query(
    'select model, provider, credential, status, input_tokens, output_tokens, cost_micros from :schema.request_log where organization_id = $1 order by at',
    [member.organization.id],
  );
  return rows;
}

describe('on an own key', () => {
  beforeEach(saveKey);

  it('speech comes back as it was sent, with what the provider says of its limits and nothing else', async () => {
    const response = await (
      await client()
    ).audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy' });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SPEECH);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'x-ratelimit-remaining-requests': '41',
      'x-service-credential': 'own-key',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.has('x-internal')).toBe(false);
    expect(media.requests[0]).toMatchObject({ path: '/v1/audio/speech', authorization: 'Bearer sk-own' });
  });

  it('a form is written again under the name that the provider knows, and logged with its tokens and no cost', async () => {
    const heard = await (
      await client()
    ).audio.transcriptions.create({ model: 'openai/gpt-4o-transcribe', file: await wave(2_000_000), language: 'en' });
    expect(heard.text).toBe('Hello there.');
    expect(media.requests[0]?.fields).toEqual({
      model: 'gpt-4o-transcribe',
      file: { name: 'wave.wav', size: 2_000_000 },
      language: 'en',
    });
    await expect.poll(logged).toEqual([
      {
        model: 'openai/gpt-4o-transcribe',
        provider: 'openai',
        credential: 'own-key',
        status: 200,
        input_tokens: 14,
        output_tokens: 45,
        cost_micros: null,
      },
    ]);
  });

  it('images, moderations without a model, and a compaction of a catalogue model', async () => {
    const openai = await client();
    expect((await openai.images.generate({ model: 'gpt-image-2', prompt: 'A fox' })).data).toHaveLength(1);
    expect((await openai.moderations.create({ input: 'Hello' })).results[0]?.flagged).toBe(false);
    expect(media.requests[1]?.fields).toEqual({ input: 'Hello' });
    for (const text of ['short', 'long '.repeat(400_000)]) {
      const compacted = await openai.post<{ object: string }>('/responses/compact', {
        body: { model: 'openai/gpt-5-mini', input: text },
      });
      expect(compacted.object).toBe('response.compaction');
      expect(media.requests.at(-1)?.fields).toEqual({ model: 'gpt-5-mini', input: text });
    }
  });

  it('a page is not passed on as one', async () => {
    const form = new FormData();
    form.set('model', 'gpt-image-2');
    form.set('prompt', 'A fox');
    form.set('image', new Blob(['x']), 'fox.png');
    const response = await fetch(`${gateway.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await member.token()}` },
      body: form,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  });

  it('the provider’s refusal keeps its meaning and its limits', async () => {
    media.refuseNext(429, { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' });
    const refusal = await (await client()).moderations.create({ input: 'x' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429 });
    expect((refusal as { headers: Headers }).headers.get('x-ratelimit-remaining-requests')).toBe('41');
  });

  it('policy, token and form are checked before anything is sent', async () => {
    const openai = await client();
    const form = new FormData();
    for (const name of ['a', 'b']) form.append('model', name);
    const headers = { authorization: `Bearer ${await member.token()}` };
    const post = (body: FormData | string, more = {}): Promise<Response> =>
      fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers: { ...headers, ...more }, body });
    expect((await post(form)).status).toBe(400);
    expect((await post('nothing', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(400);
    expect((await post('{"file":"x"}', { 'content-type': 'application/json' })).status).toBe(400);
    await member.setPolicy({ disabled_models: ['gpt-image-2'] });
    await expect(openai.images.generate({ model: 'gpt-image-2', prompt: 'A fox' })).rejects.toMatchObject({
      status: 403,
    });
    await member.setPolicy({ disabled_providers: ['openai'], disabled_models: [] });
    await expect(openai.moderations.create({ input: 'x' })).rejects.toMatchObject({ status: 403 });
    expect(media.requests).toEqual([]);
  });
});

it('a Models account serves the names that it has', async () => {
  await member.saveAccount(member.organization.defaultId, `${media.url}/account/v1`, 'account-key', ['our-voice']);
  const openai = await client();
  const spoken = await openai.audio.speech.create({ model: 'our-voice', input: 'Hello', voice: 'alloy' });
  expect(spoken.headers.get('x-service-credential')).toBe('models-account');
  expect(media.requests[0]).toMatchObject({ path: '/account/v1/audio/speech', authorization: 'Bearer account-key' });
});

it('platform credit pays for none of it', async () => {
  const openai = await client();
  const file = await wave();
  for (const asking of [
    () => openai.audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy' }),
    () => openai.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file }),
    () => openai.images.generate({ model: 'gpt-image-2', prompt: 'A fox' }),
    () => openai.moderations.create({ input: 'x' }),
    () => openai.post('/responses/compact', { body: { model: 'openai/gpt-5-mini', input: 'x' } }),
  ])
    await expect(asking()).rejects.toMatchObject({ status: 400, code: 'not_on_platform_credit' });
  expect(media.requests).toEqual([]);
});
