import { expect, it } from 'vitest';
import { createScrub, scrubValue, withoutQuoted } from './scrub.ts';

const scrub = createScrub(['hunter2-hunter2', 'p%40ss-w0rd'], ['alices-laptop', 'service.acme.example', '/srv/acme']);

it.each([
  ['a known secret', 'it was hunter2-hunter2!', 'it was [secret]!'],
  [
    'the password of a URL',
    'at postgresql://jo:p%40ss-w0rd@db.acme.example:5432/service failed',
    'at postgresql://[address] failed',
  ],
  ['a URL elsewhere', 'asked https://api.acme.example/v1/x?key=1, twice', 'asked https://[address] twice'],
  [
    'the query of a URL here',
    'GET http://127.0.0.1:4000/a?token=abc failed',
    'GET http://127.0.0.1:4000/a?[query] failed',
  ],
  ['credentials of a URL here', 'GET http://jo:secret@localhost:4000/a', 'GET http://[address]'],
  ['an address of a person', 'sent to <jo.doe+x@acme.example>', 'sent to <[address]>'],
  ['a bearer token', 'authorization: Bearer abc.def-ghi', 'authorization: Bearer [token]'],
  ['a signed token', 'took eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl for it', 'took [token] for it'],
  ['a provider key', 'key sk-proj-1234567890abcdef was refused', 'key [token] was refused'],
  ['a GitHub token', 'ghp_0123456789abcdefghij', '[token]'],
  ['32 random bytes', `key ${'Zm9v'.repeat(10)}Q1w=`, 'key [token]'],
  ['a long hexadecimal number', `is ${'0a1b2c3d'.repeat(4)}`, 'is [token]'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '[key]'],
  ['a UUID', 'of 123e4567-e89b-42d3-a456-426614174000', 'of [uuid]'],
  ['an address of a machine', 'from 203.0.113.9 and 2001:db8:0:0:0:0:0:1 and fe80::1', 'from [ip] and [ip] and [ip]'],
  ['the name of the machine', 'on alices-laptop', 'on [name]'],
  ['a host of the configuration', 'of service.acme.example:443', 'of [name]:443'],
  ['a directory', '/srv/acme/logs and /home/alice/service', '[name]/logs and /home/[user]/service'],
])('removes %s', (_, given, expected) => {
  expect(scrub(given)).toBe(expected);
  expect(scrub(expected)).toBe(expected);
});

it.each([
  'connect ECONNREFUSED 127.0.0.1:5432',
  '2026-01-31T10:15:00.000Z',
  '0011_connection_digest_key_of_all.sql',
  'service_receipt_checkpoint_timestamp_seconds',
  'at start (file:///opt/service/dist/web.js:12:34)',
  '18.1 (Debian 18.1-1.pgdg13+2)',
  '1.4.0+3f2a9c81d07e',
])('leaves %s', (text) => expect(scrub(text)).toBe(text));

it('scrubs every text of a value, however deep', () => {
  expect(
    scrubValue({ one: ['hunter2-hunter2', 1, null, { two: 'x hunter2-hunter2' }], at: new Date(0) }, scrub),
  ).toEqual({
    one: ['[secret]', 1, null, { two: 'x [secret]' }],
    at: '1970-01-01T00:00:00.000Z',
  });
});

it('takes out what an error quotes', () => {
  expect(withoutQuoted('relation "people" has no \'name\'')).toBe('relation … has no …');
  expect(withoutQuoted('Key (email)=(jo@acme.example) exists')).toBe('Key … exists');
  expect(withoutQuoted('the doctor\'s finding: "never ended')).toBe("the doctor's finding: …");
});
