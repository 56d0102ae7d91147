import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../base/package-root.ts';
import { PAGES } from '../contract/pages.ts';
import { createRouter } from './route.ts';
import { SERVICE_GRAPH } from './service-graph.ts';

const UPSTREAM_VARIABLES = {
  web: 'SERVICE_WEB_URL',
  runtime: 'SERVICE_RUNTIME_URL',
  integrations: 'SERVICE_INTEGRATIONS_URL',
  'integrations-connect': 'SERVICE_INTEGRATIONS_CONNECT_URL',
  broker: 'SERVICE_BROKER_URL',
  sandbox: 'SERVICE_SANDBOX_URL',
} as const;

describe('the service graph', () => {
  it('has each name and each prefix once, and strips only what is in front of the path', () => {
    expect(new Set(SERVICE_GRAPH.map(({ name }) => name)).size).toBe(SERVICE_GRAPH.length);
    expect(new Set(SERVICE_GRAPH.map(({ prefix }) => prefix)).size).toBe(SERVICE_GRAPH.length);
    for (const { prefix, strip } of SERVICE_GRAPH) expect(prefix.startsWith(strip)).toBe(true);
  });

  it('takes WebSockets for every service except the web app', () => {
    expect(SERVICE_GRAPH.filter(({ webSocket }) => !webSocket).map(({ name }) => name)).toEqual(['web']);
  });

  it('hides no page of the web app', () => {
    const route = createRouter(SERVICE_GRAPH);
    for (const page of PAGES)
      expect(
        route(page.replaceAll('$', ''), false, () => true),
        page,
      ).toMatchObject({ service: { name: 'web' } });
  });

  it("is the table of the operators' guide", () => {
    const guide = readFileSync(join(packageRoot(), 'docs', 'operators', 'gateway.md'), 'utf8');
    const rows = SERVICE_GRAPH.map(
      ({ name, prefix, upstream, strip, private: hidden }) =>
        `| \`${name}\` | \`${prefix}\` | \`${UPSTREAM_VARIABLES[upstream]}\` | ${strip === '' ? 'unchanged' : `without \`${strip}\``} | ${hidden ? 'yes' : 'no'} |`,
    );
    expect(guide).toContain(rows.join('\n'));
  });
});
