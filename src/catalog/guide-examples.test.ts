// What the guide shows of read-provider-resource begins where the connector's own examples begin: some base URLs of the
// integration provider end in a version, others do not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const CALL = /\{"connection": "([\w-]+)[^"]*", "tool": "read-provider-resource", "arguments": \{"path": "(\/[^"/?]*)/g;

it('the examples of the guide are of the same shape as those of the manifests', () => {
  const shown = [...readFileSync(join(ROOT, 'docs/users/tools.md'), 'utf8').matchAll(CALL)].map(
    ([, connector = '', start = '']) => ({ connector, start }),
  );
  expect(shown.length).toBeGreaterThan(0);
  for (const { connector, start } of shown) {
    const { read } = JSON.parse(readFileSync(join(ROOT, 'connectors', `${connector}.json`), 'utf8')) as {
      read: { examples: string[] };
    };
    expect(
      read.examples.map((path) => `/${path.split('/')[1]}`),
      connector,
    ).toContain(start);
  }
});
