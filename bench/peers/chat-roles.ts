// The processes around the chat bench: the model provider, a bare passthrough and the load. As a program:
// node chat-roles.ts <role> <arguments>.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { median } from '../support/median.ts';

export const CHUNKS = 200;
const MODEL = 'gpt-5-nano';
const ROUND_MS = 2_000;

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const CHUNK = (text: string): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`;
const LAST = `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [], usage: { prompt_tokens: 500, completion_tokens: CHUNKS, total_tokens: 500 + CHUNKS } })}\n\ndata: [DONE]\n\n`;
const WHOLE = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(200) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 500, completion_tokens: 200, total_tokens: 700 },
});

const ROLES: Record<string, (...args: string[]) => void> = {
  upstream(port = '') {
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (!Buffer.concat(chunks).includes('"stream":true'))
          return void response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        let sent = 0;
        const more = (): void => {
          for (let burst = 0; burst < 20 && sent < CHUNKS; burst++, sent++) response.write(CHUNK(`word${sent} `));
          if (sent < CHUNKS) setImmediate(more);
          else response.end(LAST);
        };
        more();
      });
    }).listen(Number(port), '127.0.0.1');
  },
  passthrough(port = '', upstream = '') {
    const pool = new Pool(upstream, { connections: 256 });
    createServer((request, response) => {
      pool.dispatch(
        {
          method: 'POST',
          path: request.url ?? '/',
          headers: { 'content-type': 'application/json', 'content-length': request.headers['content-length'] ?? '0' },
          body: request,
        },
        {
          onRequestStart() {},
          onResponseStart: (_controller, status, headers) =>
            void response.writeHead(status, { 'content-type': String(headers['content-type']) }),
          onResponseData(controller, chunk) {
            if (response.write(chunk)) return;
            controller.pause();
            response.once('drain', () => controller.resume());
          },
          onResponseEnd: () => void response.end(),
          onResponseError: () => void response.destroy(),
        },
      );
    }).listen(Number(port), '127.0.0.1');
  },
  load(url = '', headers = '{}', connections = '1', stream = 'false') {
    const pool = new Pool(url, { connections: Number(connections), pipelining: 1 });
    const body = JSON.stringify({
      model: MODEL,
      stream: stream === 'true',
      max_tokens: 300,
      messages: [{ role: 'user', content: 'x'.repeat(1_900) }],
    });
    const sent = { 'content-type': 'application/json', ...(JSON.parse(headers) as Record<string, string>) };
    const latencies: number[] = [];
    const firsts: number[] = [];
    let chunks = 0;
    const begin = performance.now();
    const one = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        let first = 0;
        pool.dispatch(
          { method: 'POST', path: '/v1/chat/completions', headers: sent, body },
          {
            onRequestStart() {},
            onResponseStart(_controller, status) {
              if (status !== 200) reject(new Error(`answered ${status}`));
            },
            onResponseData(_controller, chunk) {
              first ||= performance.now() - startedAt;
              if (stream === 'true')
                for (let at = chunk.indexOf('\n\n'); at >= 0; at = chunk.indexOf('\n\n', at + 2)) chunks++;
            },
            onResponseEnd() {
              latencies.push(performance.now() - startedAt);
              firsts.push(first);
              resolve();
            },
            onResponseError: (_controller, error) => reject(error),
          },
        );
      });
    void Promise.all(
      Array.from({ length: Number(connections) }, async () => {
        while (performance.now() - begin < ROUND_MS) await one();
      }),
    ).then(() => {
      const sorted = latencies.toSorted((a, b) => a - b);
      process.stdout.write(
        JSON.stringify({
          count: latencies.length,
          seconds: (performance.now() - begin) / 1000,
          p50Ms: percentile(sorted, 0.5),
          p99Ms: percentile(sorted, 0.99),
          firstMs: median(firsts),
          chunks,
        }),
      );
      process.exit(0);
    });
  },
};

if (import.meta.main) {
  const [role = '', ...args] = process.argv.slice(2);
  ROLES[role]?.(...args);
}
