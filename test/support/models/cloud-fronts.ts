// The clouds that serve other makers' models, on real sockets: each checks what that cloud is documented to check, in
// its own error shapes, and lets the scripted provider answer. What reaches that provider is judged as its maker would.
//
// https://docs.aws.amazon.com/bedrock/latest/userguide/inference-messages-api.html
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
// https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html
// https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
// https://developers.google.com/identity/protocols/oauth2/service-account
// https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
import { createHash, createHmac, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { ModelUpstream } from './model-upstream.ts';

export interface CloudFront {
  readonly url: string;
  /** As it is given to an account. */
  readonly key: string;
}

export interface CloudFronts {
  readonly azure: CloudFront;
  readonly aws: CloudFront & {
    /** What happens to the stream of the next answer, after its first events. */
    breakNext(how: 'checksum' | 'exception'): void;
  };
  readonly google: CloudFront & {
    /** How often a key was exchanged for a token. */
    exchanges(): number;
  };
  stop(): Promise<void>;
}

interface Front {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: Buffer;
}

type Fields = Record<string, unknown>;

export async function startCloudFronts(upstream: ModelUpstream): Promise<CloudFronts> {
  const [azure, aws, google] = [azureFront(upstream), awsFront(upstream), googleFront(upstream)];
  const servers = await Promise.all([azure.take, aws.take, google.take].map(listen));
  const [azureUrl = '', awsUrl = '', googleUrl = ''] = servers.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  return {
    azure: { url: azureUrl, key: azure.key },
    aws: { url: awsUrl, key: aws.key, breakNext: aws.breakNext },
    google: {
      url: `${googleUrl}/v1/projects/a-project/locations/us-east5`,
      key: google.keyFor(`${googleUrl}/token`),
      exchanges: google.exchanges,
    },
    async stop() {
      await Promise.all(
        servers.map((server) => {
          server.closeAllConnections();
          return new Promise((resolve) => void server.close(resolve));
        }),
      );
    },
  };
}

async function listen(take: (front: Front) => Promise<void>): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '', 'http://front');
      await take({ request, response, url, body: await buffer(request) });
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The scripted provider's answer, as it comes. */
function ask(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function passOn(from: Response, to: ServerResponse): Promise<void> {
  const retryAfter = from.headers.get('retry-after');
  to.writeHead(from.status, {
    'content-type': from.headers.get('content-type') ?? '',
    ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
  });
  for await (const chunk of from.body ?? []) to.write(chunk);
  to.end();
}

const read = (body: Buffer): Fields => JSON.parse(body.toString('utf8')) as Fields;
const messageOf = async (from: Response): Promise<string> =>
  ((await from.json()) as { error: { message: string } }).error.message;

function azureFront(upstream: ModelUpstream) {
  const key = `azure-${randomUUID()}`;
  return {
    key,
    async take({ request, response, url, body }: Front) {
      if (request.headers['api-key'] !== key || request.headers.authorization !== undefined)
        return answer(response, 401, {
          error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' },
        });
      const at = /^\/openai(?:\/v1|\/deployments\/([\w.-]+))\/(chat\/completions|responses|embeddings)$/.exec(
        url.pathname,
      );
      const version = url.searchParams.get('api-version');
      const isKnown = at?.[1] === undefined ? version !== '' : /^\d{4}-\d\d-\d\d(-preview)?$/.test(version ?? '');
      if (!at || !isKnown) return answer(response, 404, { error: { code: '404', message: 'Resource not found' } });
      const given = read(body);
      const asked = { ...given, model: at[1] ?? given['model'] };
      await passOn(await ask(`${upstream.url}/v1/${at[2]}`, asked, { authorization: 'Bearer sk-azure' }), response);
    },
  };
}

const AWS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a/secret+key', region: 'eu-central-1' };

function awsFront(upstream: ModelUpstream) {
  const sessionToken = `session/${randomUUID()}`;
  let broken: 'checksum' | 'exception' | undefined;
  return {
    key: JSON.stringify({ ...AWS, sessionToken }),
    breakNext(how: 'checksum' | 'exception') {
      broken = how;
    },
    async take({ request, response, url, body }: Front) {
      const refuse = (status: number, type: string, message: string): void =>
        answer(response, status, { message }, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` });
      if (request.headers['x-amz-security-token'] !== sessionToken)
        return refuse(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.');
      if (!isSigned(request, body))
        return refuse(
          403,
          'InvalidSignatureException',
          'The request signature we calculated does not match the signature you provided.',
        );
      if (url.pathname === '/openai/v1/chat/completions')
        return passOn(await ask(`${upstream.accountUrl}/chat/completions`, read(body), {}), response);
      const at = /^\/model\/([^/]+)\/invoke(-with-response-stream)?$/.exec(url.pathname);
      const model = /^(?:\w+\.)?anthropic\.(claude-[\w-]+?)-v\d(?::\d)?$/.exec(decodeURIComponent(at?.[1] ?? ''))?.[1];
      if (!at || !model) return refuse(400, 'ValidationException', 'The provided model identifier is invalid.');
      const { anthropic_version: version, anthropic_beta: betas, ...given } = read(body);
      if (version !== 'bedrock-2023-05-31')
        return refuse(400, 'ValidationException', 'anthropic_version: Field required');
      for (const name of ['model', 'stream'])
        if (name in given) return refuse(400, 'ValidationException', `extraneous key [${name}] is not permitted`);
      const stream = at[2] !== undefined;
      const from = await ask(
        `${upstream.url}/v1/messages`,
        { ...given, model, ...(stream ? { stream } : {}) },
        {
          'x-api-key': 'sk-ant-bedrock',
          'anthropic-version': '2023-06-01',
          ...(Array.isArray(betas) ? { 'anthropic-beta': betas.join(',') } : {}),
        },
      );
      if (from.status === 429) return refuse(429, 'ThrottlingException', await messageOf(from));
      if (from.status >= 500) return refuse(503, 'ServiceUnavailableException', await messageOf(from));
      if (from.status >= 400) return refuse(400, 'ValidationException', await messageOf(from));
      if (!stream) return passOn(from, response);
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      const events = (await from.text()).split('\n\n').flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? []);
      const frames = events.map((event) =>
        frame(
          { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
          { bytes: Buffer.from(event).toString('base64'), p: 'abcdefg' },
        ),
      );
      const sent = Buffer.concat(broken === undefined ? frames : [...frames.slice(0, 3), breakFrame(broken)]);
      broken = undefined;
      // In pieces that end in the middle of frames.
      for (let at = 0; at < sent.length; at += 100) {
        response.write(sent.subarray(at, at + 100));
        await new Promise(setImmediate);
      }
      response.end();
    },
  };
}

function breakFrame(how: 'checksum' | 'exception'): Buffer {
  if (how === 'exception')
    return frame(
      { ':exception-type': 'throttlingException', ':content-type': 'application/json', ':message-type': 'exception' },
      { message: 'Too many tokens, please wait before trying again.' },
    );
  const damaged = frame({ ':message-type': 'event' }, { bytes: '' });
  damaged.writeUInt8(damaged.readUInt8(20) ^ 1, 20);
  return damaged;
}

function frame(headers: Record<string, string>, payload: object): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(3);
      length.writeUInt8(7);
      length.writeUInt16BE(Buffer.byteLength(value), 1);
      return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), length, Buffer.from(value)]);
    }),
  );
  const data = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + data.length);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const checksum = Buffer.alloc(4);
  const all = Buffer.concat([prelude, head, data]);
  checksum.writeUInt32BE(crc32(all));
  return Buffer.concat([all, checksum]);
}

/** Computed from what arrived, not from what the service signs with. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/bedrock\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  const [, id, day = '', region, names = '', signature] = given ?? [];
  const time = String(request.headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  const needed = ['host', 'x-amz-date', 'x-amz-security-token'];
  if (id !== AWS.accessKeyId || region !== AWS.region || !time.startsWith(day)) return false;
  if (!needed.every((name) => names.split(';').includes(name)) || Math.abs(Date.now() - at) > 300_000) return false;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
  const canonical = [
    'POST',
    path.split('/').map(encodeURIComponent).join('/'),
    query,
    ...names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    names,
    hash(body),
  ].join('\n');
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const signing = hmac(hmac(hmac(hmac(`AWS4${AWS.secretAccessKey}`, day), AWS.region), 'bedrock'), 'aws4_request');
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${AWS.region}/bedrock/aws4_request\n${hash(canonical)}`;
  return hmac(signing, text).toString('hex') === signature;
}

function googleFront(upstream: ModelUpstream) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const email = 'models@a-project.iam.gserviceaccount.com';
  const issued = new Set<string>();
  return {
    exchanges: () => issued.size,
    keyFor: (tokenUrl: string) =>
      JSON.stringify({
        type: 'service_account',
        project_id: 'a-project',
        private_key_id: 'key-1',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        client_email: email,
        client_id: '1',
        token_uri: tokenUrl,
      }),
    async take({ request, response, url, body }: Front) {
      const refuse = (code: number, status: string, message: string): void =>
        answer(response, code, { error: { code, message, status } });
      if (url.pathname === '/token') {
        const form = new URLSearchParams(body.toString('utf8'));
        const [head = '', claim = '', signature = ''] = (form.get('assertion') ?? '').split('.');
        const claims = read(Buffer.from(claim, 'base64url'));
        const isTrue = createVerify('RSA-SHA256').update(`${head}.${claim}`).verify(publicKey, signature, 'base64url');
        const isFit =
          form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
          claims['iss'] === email &&
          claims['aud'] === `http://${request.headers.host}/token` &&
          claims['scope'] === 'https://www.googleapis.com/auth/cloud-platform' &&
          Number(claims['exp']) - Number(claims['iat']) <= 3_600 &&
          Math.abs(Number(claims['iat']) - Date.now() / 1_000) < 60;
        if (!isTrue || !isFit)
          return answer(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
        const token = `ya29.${randomUUID()}`;
        issued.add(token);
        return answer(response, 200, { access_token: token, expires_in: 3599, token_type: 'Bearer' });
      }
      if (!issued.has((request.headers.authorization ?? '').replace(/^Bearer /, '')))
        return refuse(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
      const [, place, rest = ''] = /^(\/v1\/projects\/a-project\/locations\/us-east5)\/(.*)$/.exec(url.pathname) ?? [];
      if (place === undefined) return refuse(403, 'PERMISSION_DENIED', 'Permission denied on resource project.');
      const { anthropic_version: version, ...given } = read(body);
      if (rest === 'endpoints/openapi/chat/completions')
        return passOn(await ask(`${upstream.accountUrl}/chat/completions`, given, {}), response);
      const [, name, verb] = /^publishers\/anthropic\/models\/(.+):(rawPredict|streamRawPredict)$/.exec(rest) ?? [];
      if (name === undefined) return refuse(404, 'NOT_FOUND', 'Publisher model was not found.');
      if (version !== 'vertex-2023-10-16' || 'model' in given || (given['stream'] === true) !== (verb !== 'rawPredict'))
        return refuse(400, 'INVALID_ARGUMENT', 'Invalid request: anthropic_version, model or stream.');
      const from = await ask(
        `${upstream.url}/v1/messages`,
        { ...given, model: decodeURIComponent(name).replace('@', '-') },
        {
          'x-api-key': 'sk-ant-vertex',
          'anthropic-version': '2023-06-01',
          ...(request.headers['anthropic-beta'] === undefined
            ? {}
            : { 'anthropic-beta': String(request.headers['anthropic-beta']) }),
        },
      );
      if (from.status === 429) return refuse(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for the base model.');
      return passOn(from, response);
    },
  };
}
