import { expect, it } from 'vitest';
import { parseOrigins } from './origins.ts';

it('accepts origins as browsers send them, and nothing else', () => {
  expect(parseOrigins('https://app.example.com, http://localhost:5173')).toEqual(
    new Set(['https://app.example.com', 'http://localhost:5173']),
  );
  for (const wrong of [
    '*',
    '',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://app.example.com:443',
    'HTTPS://app.example.com',
    'ftp://app.example.com',
    'https://a.example,',
  ])
    expect(parseOrigins(wrong), wrong).toBeUndefined();
});
