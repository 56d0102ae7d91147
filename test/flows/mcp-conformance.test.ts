// The protocol's own conformance suite, at both revisions, against the real dispatcher. What is expected to fail is
// what the service does not offer, and nothing else.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withConformanceTools } from '../support/tools/mcp-conformance-tools.ts';
import { startToolStand, type ToolStand } from '../support/tools/mcp-stand.ts';

let stand: ToolStand;
let front: Server;
let results: string;

beforeAll(async () => {
  results = await mkdtemp(join(tmpdir(), 'conformance-'));
  stand = await startToolStand({ extend: withConformanceTools });
  await stand.connect('github');
  front = createFront(new URL(stand.url), await stand.token());
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  front.closeAllConnections();
  await new Promise((resolve) => front.close(resolve));
  await stand.close();
  await rm(results, { recursive: true, force: true });
});

/** The suite sends no token; this adds one and changes nothing else. */
function createFront(to: URL, token: string): Server {
  return createServer((request, response) => {
    const onward = httpRequest(
      {
        host: to.hostname,
        port: to.port,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
}

it.each(['2026-07-28', '2025-11-25'])('revision %s', async (revision) => {
  const url = `http://localhost:${(front.address() as AddressInfo).port}/connect/mcp`;
  const program = join(
    import.meta.dirname,
    '..',
    '..',
    'node_modules',
    '@modelcontextprotocol',
    'conformance',
    'dist',
    'index.js',
  );
  const baseline = join(import.meta.dirname, '..', 'support', 'fixtures', `mcp-conformance-${revision}.yaml`);
  const child = spawn(
    process.execPath,
    [
      program,
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      baseline,
      '--output-dir',
      results,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: '/usr/bin:/bin', HOME: results } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect({ code, summary: code === 0 ? '' : output.slice(-6_000) }).toEqual({ code: 0, summary: '' });
});
