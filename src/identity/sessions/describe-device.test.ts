import { expect, it } from 'vitest';
import { describeDevice } from './describe-device.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

it.each([
  [CHROME, 'Chrome', 'Linux'],
  [`${CHROME} Edg/142.0.0.0`, 'Edge', 'Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox', 'Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['servicectl/1.0.0 (linux)', 'servicectl', 'Linux'],
  ['', undefined, undefined],
  ['node', undefined, undefined],
])('reads %j', (userAgent, program, system) => {
  expect(describeDevice(userAgent)).toEqual({
    ...(program === undefined ? {} : { program }),
    ...(system === undefined ? {} : { system }),
  });
});
