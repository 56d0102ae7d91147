import { describe, expect, it } from 'vitest';
import { createSchemeOf, findHostname, isLoopback } from './request-host.ts';

describe('findHostname', () => {
  it('takes the port off and writes the name in lower case', () => {
    expect(findHostname('Example.COM:8443')).toBe('example.com');
    expect(findHostname('127.0.0.1')).toBe('127.0.0.1');
    expect(findHostname('[::1]:4000')).toBe('[::1]');
  });

  it('refuses what is not one host', () => {
    for (const host of [
      '',
      'a b',
      'a,b',
      'a/b',
      'user@a',
      'a:b',
      'a:',
      '::1',
      '[::1',
      'a:123456',
      'a\tb',
      '[]',
      'a?b',
      'a#b',
    ])
      expect(findHostname(host), host).toBeUndefined();
  });
});

describe('isLoopback', () => {
  it('knows the three names of the specification and no other', () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(isLoopback(name)).toBe(true);
    for (const name of ['localhost.', 'localhost.evil.test', '127.0.0.2', '[::2]', '0.0.0.0', 'example.com'])
      expect(isLoopback(name)).toBe(false);
  });
});

describe('createSchemeOf', () => {
  it("is the public URL's scheme for its own host, with or without the default port", () => {
    const schemeOf = createSchemeOf('https://App.Example.com');
    for (const host of ['app.example.com', 'APP.example.com:443']) expect(schemeOf(host)).toBe('https');
    for (const host of ['other.example.com', 'app.example.com:4000', 'localhost']) expect(schemeOf(host)).toBe('http');
    expect(createSchemeOf('https://a.test:8443')('a.test:8443')).toBe('https');
    expect(createSchemeOf('http://a.test')('a.test')).toBe('http');
  });
});
