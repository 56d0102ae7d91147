// A client of the sandbox controller through which no secret of a run leaves its sandbox: output and files are masked, and
// a file whose name holds one is not listed. A run that encodes a secret in a way of its own cannot be kept from it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SandboxClient } from '../sandbox/client.ts';
import { createMasker, scrubText } from '../sandbox/egress/scrub-secrets.ts';
import type { ExecEvent } from '../sandbox/protocol.ts';

export function hideSecrets(client: SandboxClient, secrets: readonly Buffer[]): SandboxClient {
  if (secrets.length === 0) return client;
  return {
    ...client,
    exec: (id, input, signal) => maskEvents(secrets, client.exec(id, input, signal)),
    async listFiles(id, path, after) {
      const page = await client.listFiles(id, path, after);
      return { ...page, entries: page.entries.filter(({ name }) => scrubText(secrets, name) === name) };
    },
    readFile: async (id, path, maxBytes) => maskBytes(secrets, await client.readFile(id, path, maxBytes)),
  };
}

/** Standard output and standard error are two streams: a secret may be cut in pieces within each. */
async function* maskEvents(secrets: readonly Buffer[], events: AsyncGenerator<ExecEvent>): AsyncGenerator<ExecEvent> {
  const maskers = { 1: createMasker(secrets), 2: createMasker(secrets) };
  for await (const event of events) {
    if (event.t === 'out') {
      const text = maskers[event.fd].add(Buffer.from(event.d)).toString();
      if (text !== '') yield { ...event, d: text };
      continue;
    }
    if (event.t === 'exit')
      for (const fd of [1, 2] as const) {
        const text = maskers[fd].end().toString();
        if (text !== '') yield { seq: event.seq, t: 'out', fd, d: text };
      }
    yield event;
  }
}

const SLICE_BYTES = 4 * 1024 * 1024;

async function maskBytes(secrets: readonly Buffer[], bytes: Buffer): Promise<Buffer> {
  const masker = createMasker(secrets);
  const clean: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await nextTurn();
    clean.push(masker.add(bytes.subarray(at, at + SLICE_BYTES)));
  }
  clean.push(masker.end());
  return Buffer.concat(clean);
}
