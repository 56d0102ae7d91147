import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutOwnCredentials } from './own-credentials.ts';
import { responseHeaders } from './response-headers.ts';
import { SERVICE_GRAPH } from './service-graph.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl-_';
const SESSION = 'Zk3vQx9LmN2bT7yRwE5uHc8dFa1sGj4p';
const left = (...headers: string[]): string[] => withoutOwnCredentials(headers);

describe('headers for an upstream that is not ours', () => {
  it.each([
    [['Cookie', `service.session_token=${SESSION}.sig%3D`], []],
    [['Cookie', `__Secure-service.session_token=${SESSION}.sig%3D`], []],
    [
      ['cookie', `a=1; __Secure-service.session_token=x.y; b=2`],
      ['cookie', 'a=1; b=2'],
    ],
    [
      ['Cookie', 'service.session_token=a;service.session_data=b;nango=c;  SERVICE.session_token=d'],
      ['Cookie', 'nango=c'],
    ],
    [
      ['Cookie', 'theme=dark'],
      ['Cookie', 'theme=dark'],
    ],
    [
      ['Cookie', 'services=1; xservice.session_token=2'],
      ['Cookie', 'services=1; xservice.session_token=2'],
    ],
    [
      ['Cookie', 'a=service.session_token'],
      ['Cookie', 'a=service.session_token'],
    ],
    ...[
      `Bearer ${JWT}`,
      `bearer  ${JWT} `,
      `Bearer ${SESSION}`,
      `BEARER\t${SESSION}`,
      `Bearer x ${JWT}`,
      JWT,
      `Token ${SESSION}`,
      `Bearer "${JWT}"`,
    ].map((value): [string[], string[]] => [['Authorization', value], []]),
    ...[
      `Bearer 7a9d1f0e-55b1-4c5e-9a51-0f6f2f6f5c11`,
      `Bearer nango_connect_session_0123456789abcdef0123456789abcdef`,
      'Basic YWRtaW46cGFzc3dvcmQxMjM0',
      'Bearer short',
    ].map((value): [string[], string[]] => [
      ['Authorization', value],
      ['Authorization', value],
    ]),
    [['x-api-key', JWT], []],
    [['X-API-Key', SESSION], []],
    [
      ['x-request-id', SESSION],
      ['x-request-id', SESSION],
    ],
  ] as [string[], string[]][])('%j leaves %j', (headers, expected) => expect(left(...headers)).toEqual(expected));

  it('hold none of our credentials, however they are written and wherever they stand', () => {
    const part = fc.constantFrom(
      '; ',
      ';',
      ' ',
      ', ',
      '\t',
      'Bearer ',
      'bearer ',
      'a=1',
      'nango=2',
      `service.session_token=${SESSION}.x`,
      `__Secure-service.session_token=${SESSION}.x`,
    );
    const cookie = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(';'));
    const authorization = fc
      .tuple(
        fc.constantFrom('', 'Bearer ', 'bearer   ', 'Token ', 'x '),
        fc.constantFrom(JWT, SESSION),
        fc.constantFrom('', ' ', ' x', ', y'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        cookie,
        authorization,
        fc.constantFrom('Authorization', 'AUTHORIZATION', 'x-api-key'),
        (cookies, value, name) => {
          const text = left('Cookie', cookies, name, value).join('\n');
          expect(text).not.toContain('service.session_token=');
          expect(text).not.toContain(JWT);
          expect(text.replaceAll(/.*nango=2.*/g, '')).not.toContain(SESSION);
        },
      ),
    );
  });
});

it('every service of the integration provider is foreign, and no other', () => {
  expect(SERVICE_GRAPH.filter((service) => 'foreign' in service).map(({ name }) => name)).toEqual(
    SERVICE_GRAPH.filter(({ upstream }) => upstream.startsWith('integrations')).map(({ name }) => name),
  );
});

describe('an answer of an upstream that is not ours', () => {
  const answer = {
    'set-cookie': [
      'service.session_token=theirs; Path=/',
      ' __Secure-service.session_token=x',
      'connect.sid=1; HttpOnly',
    ],
    'clear-site-data': '"cookies"',
    etag: 'a',
  };

  it('sets no cookie of ours and removes none; its own pass', () => {
    expect(responseHeaders(answer, 'r', { foreign: true })).toEqual([
      'set-cookie',
      'connect.sid=1; HttpOnly',
      'etag',
      'a',
      'x-request-id',
      'r',
    ]);
    expect(responseHeaders({ 'set-cookie': 'service.session_token=theirs' }, 'r', { foreign: true })).toEqual([
      'x-request-id',
      'r',
    ]);
  });

  it('is passed on whole when it is ours', () => {
    expect(responseHeaders(answer, 'r', {})).toHaveLength(12);
  });
});
