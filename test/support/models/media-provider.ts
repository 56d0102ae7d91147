// OpenAI's surfaces beside chat, as strict as they are documented to be: who may ask, which fields a request has, and
// how the answer looks.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MediaRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface MediaProvider {
  readonly url: string;
  readonly requests: MediaRequest[];
  /** Answered to the next request, whatever it is. */
  refuseNext(status: number, error: object): void;
  stop(): Promise<void>;
}

const USAGE = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 };
export const SPEECH = Buffer.from([0xff, 0xf3, 0x00, 0x0d, 0x0a, 0x80]);

interface Surface {
  readonly form: boolean;
  readonly needs: readonly string[];
  readonly answer: { readonly type: string; readonly body: string | Buffer };
}

const json = (body: object): Surface['answer'] => ({ type: 'application/json', body: JSON.stringify(body) });

const SURFACES: Readonly<Record<string, Surface>> = {
  '/v1/audio/speech': {
    form: false,
    needs: ['model', 'input', 'voice'],
    answer: { type: 'audio/mpeg', body: SPEECH },
  },
  '/v1/audio/transcriptions': {
    form: true,
    needs: ['model', 'file'],
    answer: json({ text: 'Hello there.', usage: USAGE }),
  },
  '/v1/images/generations': {
    form: false,
    needs: ['prompt'],
    answer: json({ created: 1, data: [{ b64_json: 'iVBORw0=' }], usage: USAGE }),
  },
  '/v1/images/edits': {
    form: true,
    needs: ['prompt', 'image'],
    answer: { type: 'text/html', body: '<script>alert(1)</script>' },
  },
  '/v1/moderations': {
    form: false,
    needs: ['input'],
    answer: json({ id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: false }] }),
  },
  '/v1/responses/compact': {
    form: false,
    needs: ['model', 'input'],
    answer: json({ id: 'resp_1', object: 'response.compaction', output: [{ type: 'compaction' }], usage: USAGE }),
  },
};

export async function startMediaProvider(keys: readonly string[]): Promise<MediaProvider> {
  const requests: MediaRequest[] = [];
  let refusal: { readonly status: number; readonly error: object } | undefined;
  const server = createServer((request, response) => {
    void answer(request).then(({ status, type, body }) =>
      response
        .writeHead(status, { 'content-type': type, 'x-ratelimit-remaining-requests': '41', 'x-internal': 'secret' })
        .end(body),
    );
  });

  async function answer(request: IncomingMessage): Promise<Surface['answer'] & { readonly status: number }> {
    const fields = await readFields(request);
    const { authorization } = request.headers;
    requests.push({ path: request.url ?? '', authorization, fields });
    const refuse = (status: number, message: string) => ({
      status,
      ...json({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
    });
    if (refusal) {
      const { status, error } = refusal;
      refusal = undefined;
      return { status, ...json({ error }) };
    }
    if (!keys.includes(authorization?.replace('Bearer ', '') ?? '')) return refuse(401, 'Incorrect API key provided.');
    const surface = SURFACES[(request.url ?? '').replace('/account', '')];
    if (!surface || request.method !== 'POST') return refuse(404, 'Invalid URL');
    const isForm = request.headers['content-type']?.startsWith('multipart/form-data; boundary=') ?? false;
    if (isForm !== surface.form) return refuse(400, `expected ${surface.form ? 'a form' : 'JSON'}`);
    const missing = surface.needs.find((name) => fields[name] === undefined);
    return missing ? refuse(400, `Missing required parameter: '${missing}'.`) : { status: 200, ...surface.answer };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refuseNext: (status, error) => void (refusal = { status, error }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readFields(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers['content-type'] ?? '';
  const sent = new Response(new Uint8Array(Buffer.concat(chunks)), { headers: { 'content-type': type } });
  if (!type.startsWith('multipart/')) return (await sent.json()) as Record<string, unknown>;
  const form = await sent.formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form)
    fields[name] = typeof value === 'string' ? value : { name: value.name, size: value.size };
  return fields;
}
