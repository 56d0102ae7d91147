import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TriggerSource } from '../../contract/standing/trigger-rules.ts';
import { decodeWebhookSecret, isDeliverySigned } from './verify-delivery.ts';

const sha256 = (key: string | Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex');

describe('the published examples', () => {
  const signed = (
    source: TriggerSource,
    secret: string,
    { headers, body, at = 0 }: { headers: Record<string, string>; body: string; at?: number },
  ): boolean =>
    isDeliverySigned(source, {
      headers: new Headers(headers),
      body: Buffer.from(body),
      secrets: [secret],
      nowMs: at * 1_000,
    });

  it('GitHub', () => {
    const headers = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    expect(signed('github', "It's a Secret to Everybody", { headers, body: 'Hello, World!' })).toBe(true);
    expect(signed('github', "It's a Secret to Everybody", { headers, body: 'Hello, World?' })).toBe(false);
  });

  it('Standard Webhooks', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature':
        'v1,bm9ldHUjKzFob2VudXRob2VodWUzMjRvdWVvdW9ldQo= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    for (const source of ['standard-webhooks', 'gitlab'] as const) {
      expect(signed(source, secret, { headers, body, at: 1_614_265_330 })).toBe(true);
      expect(signed(source, secret, { headers, body, at: 1_614_265_330 + 301 })).toBe(false);
    }
  });

  it('Slack', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    expect(signed('slack', '8f742231b10e8888abcd99yyyzzz85a5', { headers, body, at: 1_531_420_618 })).toBe(true);
  });
});

const NOW = 1_790_000_000;
const LINEAR = (at: number): string => JSON.stringify({ action: 'create', webhookTimestamp: at * 1_000 });
const BODY = '{"id":"evt_1","text":"hello"}';
const RAW = Buffer.alloc(32, 7);
const TOKEN = `whsec_${RAW.toString('base64')}`;

interface Sender {
  readonly source: TriggerSource;
  readonly secret: string;
  readonly other: string;
  /** Whether it says when it signed. */
  readonly timed: boolean;
  readonly sign: (secret: string, at: number) => { headers: Record<string, string>; body: string };
}

const webhook = (secret: string, at: number): { headers: Record<string, string>; body: string } => ({
  headers: {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${createHmac('sha256', decodeWebhookSecret(secret) ?? '')
      .update(`msg_1.${at}.${BODY}`)
      .digest('base64')}`,
  },
  body: BODY,
});

const SENDERS: Readonly<Record<string, Sender>> = {
  generic: {
    source: 'generic',
    secret: 'generic-secret',
    other: 'another-secret',
    timed: true,
    sign: (secret, at) => ({
      headers: {
        'x-service-timestamp': String(at),
        'x-service-signature': `sha256=${sha256(secret, `${at}.${BODY}`)}`,
      },
      body: BODY,
    }),
  },
  github: {
    source: 'github',
    secret: 'github-secret',
    other: 'another-secret',
    timed: false,
    sign: (secret) => ({ headers: { 'x-hub-signature-256': `sha256=${sha256(secret, BODY)}` }, body: BODY }),
  },
  'gitlab by its token': {
    source: 'gitlab',
    secret: 'gitlab-secret',
    other: 'another-secret',
    timed: false,
    sign: (secret) => ({ headers: { 'x-gitlab-token': secret }, body: BODY }),
  },
  'gitlab by its signature': {
    source: 'gitlab',
    secret: TOKEN,
    other: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
    timed: true,
    sign: webhook,
  },
  linear: {
    source: 'linear',
    secret: 'lin_wh_secret',
    other: 'lin_wh_another',
    timed: true,
    sign: (secret, at) => ({ headers: { 'linear-signature': sha256(secret, LINEAR(at)) }, body: LINEAR(at) }),
  },
  slack: {
    source: 'slack',
    secret: 'slack-secret',
    other: 'another-secret',
    timed: true,
    sign: (secret, at) => ({
      headers: {
        'x-slack-request-timestamp': String(at),
        'x-slack-signature': `v0=${sha256(secret, `v0:${at}:${BODY}`)}`,
      },
      body: BODY,
    }),
  },
  stripe: {
    source: 'stripe',
    secret: 'whsec_stripe',
    other: 'whsec_another',
    timed: true,
    sign: (secret, at) => ({
      headers: { 'stripe-signature': `t=${at},v1=${'0'.repeat(64)},v1=${sha256(secret, `${at}.${BODY}`)},v0=x` },
      body: BODY,
    }),
  },
  'standard-webhooks': {
    source: 'standard-webhooks',
    secret: TOKEN,
    other: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
    timed: true,
    sign: webhook,
  },
};

describe.each(Object.entries(SENDERS))('%s', (_name, { source, secret, other, timed, sign }) => {
  const verify = (
    { headers, body }: { headers: Record<string, string>; body: string },
    secrets: readonly string[],
    now = NOW,
  ): boolean =>
    isDeliverySigned(source, { headers: new Headers(headers), body: Buffer.from(body), secrets, nowMs: now * 1_000 });

  it('accepts what was signed with the secret', () => expect(verify(sign(secret, NOW), [secret])).toBe(true));

  it('refuses what was signed with another one', () => expect(verify(sign(other, NOW), [secret])).toBe(false));

  it('accepts both secrets while one replaces the other, and only the new one later', () => {
    expect(verify(sign(secret, NOW), [other, secret])).toBe(true);
    expect(verify(sign(other, NOW), [other, secret])).toBe(true);
    expect(verify(sign(secret, NOW), [other])).toBe(false);
  });

  it('refuses what is old or from the future, if the source says when it signed', () => {
    for (const at of [NOW - 3_600, NOW + 3_600]) expect(verify(sign(secret, at), [secret])).toBe(!timed);
    expect(verify(sign(secret, NOW - 50), [secret])).toBe(true);
  });

  it('refuses a body that was changed', () => {
    const { headers, body } = sign(secret, NOW);
    // A plain token says nothing of the body.
    expect(verify({ headers, body: `${body} ` }, [secret])).toBe(source === 'gitlab' && !timed);
  });

  it('refuses everything without a secret, or with an empty one', () => {
    for (const secrets of [[], ['']])
      for (const signed of [sign(secret, NOW), sign('', NOW), { headers: {}, body: BODY }])
        expect(verify(signed, secrets)).toBe(false);
  });

  it('refuses a delivery without headers, and with those of every other source', () => {
    expect(verify({ headers: {}, body: BODY }, [secret])).toBe(false);
    for (const sender of Object.values(SENDERS)) {
      if (sender.source === source || sender.sign === sign) continue;
      expect(verify(sender.sign(secret, NOW), [secret]), sender.source).toBe(false);
    }
  });
});

it('a secret that cannot be decoded has no signature that somebody could compute', () => {
  for (const key of ['none', '', 'whsec_short'])
    for (const version of ['v1', 'none']) {
      const headers = new Headers({
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(NOW),
        'webhook-signature': `${version},${createHmac('sha256', key).update(`msg_1.${NOW}.${BODY}`).digest('base64')}`,
      });
      const signed = { headers, body: Buffer.from(BODY), secrets: ['whsec_short'], nowMs: NOW * 1_000 };
      expect(isDeliverySigned('standard-webhooks', signed)).toBe(false);
    }
});

it('a plain GitLab token is not accepted in the place of a signing token', () => {
  const headers = new Headers({ 'x-gitlab-token': TOKEN });
  expect(isDeliverySigned('gitlab', { headers, body: Buffer.from(BODY), secrets: [TOKEN], nowMs: 0 })).toBe(false);
});
