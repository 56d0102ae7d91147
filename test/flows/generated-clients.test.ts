// Clients that generators make of the printed contract: they type-check, and one of them talks to the service.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChatGateway, startChatGateway } from '../support/http/chat-gateway.ts';

const TSC = join(import.meta.dirname, '..', '..', 'node_modules', '@typescript', 'native', 'bin', 'tsc');

/** What a developer would write who has only the types. */
const WITH_TYPES = `
import type { components, paths } from './schema';

type Chat = paths['/v1/chat/completions']['post'];
export const question: Chat['requestBody']['content']['application/json'] = { model: 'service/auto', messages: [{ role: 'user', content: 'Hello' }] };
export const textOf = (answer: Chat['responses'][200]['content']['application/json']): string | null => answer.choices[0]?.message.content ?? null;
export const pieceOf = (chunk: Chat['responses'][200]['content']['text/event-stream']): string => chunk.choices[0]?.delta.content ?? '';
export const refusalOf = (refusal: components['schemas']['OpenAiError']): string => refusal.error.message;

type Usage = paths['/api/organizations/{org}/usage']['get']['responses'][200]['content']['application/json'];
export const leftOf = ({ signupCredit, seatBudget }: Usage): number => signupCredit.remaining + seatBudget.remaining;

// @ts-expect-error -- a conversation has messages
export const wrong: Chat['requestBody']['content']['application/json'] = { model: 'service/auto' };
`;

/** What a developer would write who has the whole client. */
const WITH_CLIENT = `
import { createClient } from './client/client';
import { getV1Models, postV1ChatCompletions, postV1Messages, postV1Responses } from './client/sdk.gen';

export async function talk(baseUrl: string, token: string, model: string): Promise<unknown> {
  const client = createClient({ baseUrl, auth: token, throwOnError: true });
  const models = await getV1Models({ client, throwOnError: true });
  const chat = await postV1ChatCompletions({ client, throwOnError: true, body: { model, messages: [{ role: 'user', content: 'Hello' }] } });
  const response = await postV1Responses({ client, throwOnError: true, body: { model, input: 'Hello', store: false } });
  const message = await postV1Messages({ client, throwOnError: true, body: { model, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] } });
  const [block] = message.data.content;
  const [item] = response.data.output.filter(({ type }) => type === 'message');
  return { listed: models.data.data.some(({ id }) => id === model), chat: chat.data.choices[0]?.message.content, response: item, message: block };
}

export async function refused(baseUrl: string, token: string): Promise<{ status: number | undefined; code: string | null | undefined }> {
  const { error, response } = await postV1ChatCompletions({ client: createClient({ baseUrl, auth: token }), body: { model: 'nobody/nothing', messages: [{ role: 'user', content: 'Hello' }] } });
  return { status: response?.status, code: error && 'error' in error && typeof error.error === 'object' ? error.error.code : undefined };
}
`;

let gateway: ChatGateway;
let directory: string;
beforeAll(async () => {
  gateway = await startChatGateway();
  directory = await mkdtemp(join(tmpdir(), 'generated-clients-'));
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Record<string, unknown>;
  await writeFile(join(directory, 'openapi.json'), JSON.stringify(document));
  await writeFile(
    join(directory, 'schema.ts'),
    astToString(await openapiTypeScript(pathToFileURL(join(directory, 'openapi.json')), { silent: true })),
  );
  await createClient({
    input: join(directory, 'openapi.json'),
    output: join(directory, 'client'),
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
    logs: { level: 'silent', file: false },
  });
  await writeFile(join(directory, 'with-types.ts'), WITH_TYPES);
  await writeFile(join(directory, 'with-client.ts'), WITH_CLIENT);
});
afterAll(async () => {
  await gateway?.close();
  await rm(directory, { recursive: true });
});

it('type-check, with programs that use them', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'preserve',
    types: [],
  };
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['with-types.ts', 'with-client.ts'] }),
  );
  const { status, stdout } = spawnSync(process.execPath, [TSC, '-p', directory], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

it.each(['openai/gpt-5-mini', 'anthropic/claude-sonnet-4-5'])('talk to the service, on %s', async (model) => {
  gateway.upstream.reset();
  gateway.upstream.respondByDefault({ text: 'Forty-two.' });
  const file = join(directory, 'with-client.mjs');
  await build({
    entryPoints: [join(directory, 'with-client.ts')],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const { talk, refused } = (await import(pathToFileURL(file).href)) as {
    talk(url: string, token: string, model: string): Promise<unknown>;
    refused(url: string, token: string): Promise<unknown>;
  };
  const token = await (await gateway.newMember()).token();
  expect(await talk(gateway.url, token, model)).toMatchObject({
    listed: true,
    chat: 'Forty-two.',
    response: { content: [{ type: 'output_text', text: 'Forty-two.' }] },
    message: { type: 'text', text: 'Forty-two.' },
  });
  expect(await refused(gateway.url, token)).toEqual({ status: 404, code: 'model_not_found' });
});
