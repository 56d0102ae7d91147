import { describe, expect, it } from 'vitest';
import { type BrokerRule, type EgressRules, mayAsk, mayReach } from './egress-rules.ts';

const RULES: EgressRules = {
  allow: ['example.org:443', '*.example.net:443', 'plain.test:80', '[2606:4700::1]:443'],
  brokers: [],
};

describe('hosts a sandbox may reach', () => {
  it.each([
    ['example.org', 443],
    ['EXAMPLE.org', 443],
    ['example.org.', 443],
    ['a.example.net', 443],
    ['a.b.example.net', 443],
    ['plain.test', 80],
    ['[2606:4700::1]', 443],
    ['2606:4700::1', 443],
  ] as const)('are those that a rule names: %s:%i', (host, port) => expect(mayReach(RULES, host, port)).toBe(true));

  it.each([
    ['example.org', 80],
    ['www.example.org', 443],
    ['notexample.org', 443],
    ['example.net', 443],
    ['.example.net', 443],
    ['evilexample.net', 443],
    ['example.org.evil.test', 443],
    ['127.0.0.1', 443],
    ['', 443],
  ] as const)('are no others: %s:%i', (host, port) => expect(mayReach(RULES, host, port)).toBe(false));
});

describe('paths of a broker', () => {
  const broker: BrokerRule = {
    host: 'api.broker',
    target: 'https://api.example',
    headers: {},
    paths: ['/v1/responses', '/v1/files/*'],
    maxRequests: 1,
    maxBytes: 1,
  };
  it.each(['/v1/responses', '/v1/files/a', '/v1/files/a/b'])('pass when a rule names them: %s', (path) =>
    expect(mayAsk(broker, 'POST', path)).toBe(true),
  );
  it.each([
    '/',
    '/v1',
    '/v1/responses/',
    '/v1/responses/x',
    '/v1/responsesx',
    '/V1/responses',
    '/v1/files',
    '/v1/files/',
    '/v1/files/../admin',
    '/v1/files/..',
    '/v1/files/%2e%2e/admin',
    '/v1/files/%2E./x',
    '/v1/files/a%2fb',
    '/v1/files//x',
    '/v1/files/a\\b',
    '/v1/files/%00',
    '/v1/files/é',
    'v1/responses',
    '/v1/files/a b',
  ])('pass under no other rule: %s', (path) => expect(mayAsk(broker, 'POST', path)).toBe(false));

  const git: BrokerRule = {
    ...broker,
    paths: ['GET /*/*/info/refs', 'POST /*/*/git-upload-pack', 'GET /repos/acme/app/*', 'HEAD /only'],
  };
  it.each([
    ['GET', '/acme/app.git/info/refs'],
    ['POST', '/acme/app/git-upload-pack'],
    ['GET', '/repos/acme/app/issues/1'],
    ['HEAD', '/only'],
  ])('pass by their steps and method: %s %s', (method, path) => expect(mayAsk(git, method, path)).toBe(true));
  it.each([
    ['POST', '/acme/app.git/info/refs'],
    ['POST', '/acme/app.git/git-receive-pack'],
    ['POST', '/acme/git-upload-pack'],
    ['POST', '/acme/a/b/git-upload-pack'],
    ['POST', '//app/git-upload-pack'],
    ['DELETE', '/repos/acme/app/issues/1'],
    ['GET', '/repos/acme/app'],
    ['GET', '/repos/acme/other/issues'],
    ['GET', '/repos/acme/app2/issues'],
    ['GET', '/only'],
    ['get', '/repos/acme/app/issues'],
  ])('do not pass with another method or other steps: %s %s', (method, path) =>
    expect(mayAsk(git, method, path)).toBe(false),
  );
});
