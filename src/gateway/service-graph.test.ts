import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../process/package-root.ts';
import { PAGES } from '../contract/pages.ts';
import { createRouter } from './route.ts';
import { SERVICE_GRAPH, type Service } from './service-graph.ts';

const UPSTREAM_VARIABLES = {
  web: 'SERVICE_WEB_URL',
  runtime: 'SERVICE_RUNTIME_URL',
  integrations: 'SERVICE_INTEGRATIONS_URL',
  'integrations-connect': 'SERVICE_INTEGRATIONS_CONNECT_URL',
  broker: 'SERVICE_BROKER_URL',
  sandbox: 'SERVICE_SANDBOX_URL',
} as const;

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
const find = (directory: string, ending: string): string[] =>
  globSync(`${directory}/**/*${ending}`, { cwd: packageRoot() });

describe('the service graph', () => {
  it('has each name and each prefix once, and strips only what is in front of the path', () => {
    expect(new Set(SERVICE_GRAPH.map(({ name }) => name)).size).toBe(SERVICE_GRAPH.length);
    expect(new Set(SERVICE_GRAPH.map(({ prefix }) => prefix)).size).toBe(SERVICE_GRAPH.length);
    for (const { prefix, strip } of SERVICE_GRAPH) expect(prefix.startsWith(strip)).toBe(true);
  });

  it('takes WebSockets for every service except those of the web server', () => {
    for (const { webSocket, upstream } of SERVICE_GRAPH) expect(webSocket).toBe(upstream !== 'web');
  });

  it('waits for a model wherever one answers in the end', () => {
    const waiting = (SERVICE_GRAPH as readonly Service[]).filter(({ waitsFor }) => waitsFor === 'model');
    expect(waiting.map(({ prefix }) => prefix)).toEqual(['/v1', '/api/chat']);
  });

  it('hides no page of the web app', () => {
    const route = createRouter(SERVICE_GRAPH);
    for (const page of PAGES)
      expect(
        route(page.replaceAll('$', ''), false, () => true),
        page,
      ).toMatchObject({ service: { name: 'web' } });
  });

  it("names the integration provider's UI with the slash, without which a browser gets a page of ours", () => {
    const files = [...find('docs', '.md'), ...find('src/entry/admin/doctor', '.ts'), ...find('deploy', '.yaml')];
    expect(files.length).toBeGreaterThan(30);
    const wrong = files.filter((file) =>
      /(?:UI|[Dd]ashboard|it|gateway) (?:is )?(?:under|at) `?\/integrations(?![-/\w])/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  it("is the table of the operators' guide", () => {
    const guide = read('docs/operators/gateway.md');
    const rows = SERVICE_GRAPH.map(
      ({ name, prefix, upstream, strip, private: hidden }) =>
        `| \`${name}\` | \`${prefix}\` | \`${UPSTREAM_VARIABLES[upstream]}\` | ${strip === '' ? 'unchanged' : `without \`${strip}\``} | ${hidden ? 'yes' : 'no'} |`,
    );
    expect(guide).toContain(rows.join('\n'));
  });
});
