// A model provider that writes an answer at a steady pace, as a fast model does: paragraphs, lists and code to colour.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CODE = Array.from(
  { length: 30 },
  (_, line) =>
    `export function step${line}(input: readonly string[], limit = ${line * 7}): Map<string, number> {\n  // Counts what is longer than the limit.\n  return new Map(input.filter((text) => text.length > limit).map((text) => [text, text.length * ${line}]));\n}`,
).join('\n');
const SECTION = `## A section\n\nSome **words** with \`code\` and a [link](https://example.test). ${'A sentence that fills the line with words. '.repeat(6)}\n\n- one\n- two\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\n`;
/** The characters of a chunk: about a token. */
const CHUNK = 6;

export interface PacedProvider {
  /** What OPENAI_API_URL takes. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPacedProvider(chunksPerSecond: number, seconds: number): Promise<PacedProvider> {
  const length = chunksPerSecond * seconds * CHUNK;
  const text = SECTION.repeat(Math.ceil(length / SECTION.length)).slice(0, length);
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (data: Buffer) => body.push(data));
    request.on('end', () => {
      const { stream } = JSON.parse(Buffer.concat(body).toString()) as { stream?: boolean };
      if (stream) writePaced(response, text, chunksPerSecond);
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(wholeAnswer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const head = { id: 'chatcmpl-bench', created: 0, model: 'bench' };
const wholeAnswer = {
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A title' }, finish_reason: 'stop' }],
  usage,
};

/** As many chunks as are due by now: a timer is not exact, and the average is what counts. */
function writePaced(response: ServerResponse, text: string, chunksPerSecond: number): void {
  const say = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  say({ role: 'assistant', content: '' });
  const startedAt = performance.now();
  let at = 0;
  const timer = setInterval(() => {
    const due = Math.min(text.length, Math.floor(((performance.now() - startedAt) / 1_000) * chunksPerSecond) * CHUNK);
    for (; at < due; at += CHUNK) say({ content: text.slice(at, at + CHUNK) });
    if (at < text.length) return;
    clearInterval(timer);
    say({}, 'stop');
    response.end(
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })}\n\ndata: [DONE]\n\n`,
    );
  }, 5);
  response.on('close', () => clearInterval(timer));
}
