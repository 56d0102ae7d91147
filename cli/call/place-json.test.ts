import { expect, it } from 'vitest';
import { placeJson } from './place-json.ts';

it.each([
  ['call --json github list-issues', 'call github list-issues --json'],
  ['call github --json list-issues --arg a=b', 'call github list-issues --arg a=b --json'],
  ['call --json github:work list-issues -- x', 'call github:work list-issues --json -- x'],
  ['call --json {"path":"/x"} github read-provider-resource', undefined],
  ['call github read-provider-resource --json {"path":"/x"}', undefined],
  ['call --json @file github x', undefined],
  ['call --json - github x', undefined],
  ['call github x --json', undefined],
  ['call github x --json --arg a=b', undefined],
  ['tools --json github', undefined],
])('%s', (line, moved) => {
  expect(placeJson(line.split(' ')).join(' ')).toBe(moved ?? line);
});
