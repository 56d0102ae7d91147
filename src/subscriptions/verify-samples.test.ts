// What docs/users/subscriptions.md tells receivers to paste verifies what the service signs, and nothing else.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signMessage } from './sign-message.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/users/subscriptions.md'), 'utf8');
const sample = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(page)?.[1] ?? expect.unreachable();

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const body = '{"type":"run.failed","data":{"job":"job_1"}}';
const signed = signMessage({ id: 'msg_1', body, secret, now: new Date() });
const late = signMessage({ id: 'msg_1', body, secret, now: new Date(Date.now() - 301_000) });

interface Message {
  readonly says: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly verified: boolean;
}

const MESSAGES: readonly Message[] = [
  { says: 'as it was sent', headers: signed, verified: true },
  {
    says: 'signed with two secrets',
    headers: { ...signed, 'webhook-signature': `v1,AAAA ${signed['webhook-signature']}` },
    verified: true,
  },
  { says: 'with another body', headers: signed, body: `${body} `, verified: false },
  { says: 'with another id', headers: { ...signed, 'webhook-id': 'msg_2' }, verified: false },
  { says: 'sent again too late', headers: late, verified: false },
  {
    says: 'with a new time',
    headers: { ...late, 'webhook-timestamp': signed['webhook-timestamp'] ?? '' },
    verified: false,
  },
  { says: 'without a signature', headers: { ...signed, 'webhook-signature': '' }, verified: false },
  { says: 'without headers', headers: {}, verified: false },
];

describe('the sample for Node', () => {
  it.each(MESSAGES)('verifies a message $says: $verified', async ({ headers, body: sent = body, verified }) => {
    const { isFromService } = (await import(`data:text/javascript,${encodeURIComponent(sample('js'))}`)) as {
      isFromService(secret: string, headers: object, body: string): boolean;
    };
    expect(isFromService(secret, headers, sent)).toBe(verified);
  });
});

const python = (code: string, input = '') => spawnSync('python3', ['-c', code], { input, encoding: 'utf8' });

describe.skipIf(python('').status !== 0)('the sample for Python', () => {
  it('verifies the same messages', () => {
    const given = MESSAGES.map(({ headers, body: sent = body }) => ({ secret, headers, body: sent }));
    const { stdout, stderr } = python(
      `${sample('python')}\nimport json, sys\nfor one in json.load(sys.stdin):\n    print(is_from_service(one["secret"], one["headers"], one["body"].encode()))`,
      JSON.stringify(given),
    );
    expect([stdout.trim().split('\n'), stderr]).toEqual([
      MESSAGES.map(({ verified }) => (verified ? 'True' : 'False')),
      '',
    ]);
  });
});
