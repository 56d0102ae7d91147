import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRouter, type Route } from './route.ts';
import { SERVICE_GRAPH, type Service } from './service-graph.ts';

const route = createRouter(SERVICE_GRAPH);
const PRIVATE = SERVICE_GRAPH.filter((service) => service.private);

function where(target: string, mayReachPrivate = true): string {
  const found: Route = route(target, mayReachPrivate);
  return found.kind === 'service' ? `${found.service.name} ${found.path}` : found.kind;
}

describe('route', () => {
  it('sends every service of the graph its prefix and what is under it', () => {
    for (const { name, prefix, strip } of SERVICE_GRAPH as readonly Service[]) {
      const cut = (path: string): string => path.slice(strip.length) || '/';
      expect(where(prefix)).toBe(`${name} ${cut(prefix)}`);
      const below = `${prefix === '/' ? '' : prefix}/below/it?q=/broker`;
      expect(where(below)).toBe(`${name} ${cut(below)}`);
    }
  });

  it('rule 1: the longest matching prefix wins and / comes last, in whatever order the graph is written', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...SERVICE_GRAPH], { minLength: SERVICE_GRAPH.length }), (graph) => {
        const shuffled = createRouter(graph);
        for (const target of [
          '/',
          '/runtime',
          '/runtime/metrics/x',
          '/integrations-connect/a',
          '/integrations/a',
          '/x',
        ])
          expect(shuffled(target, true)).toEqual(route(target, true));
      }),
    );
    expect(where('/runtime/metrics')).toBe('runtime-metrics /metrics');
  });

  it('rule 2: stripping rewrites the path and keeps the query; connect is not stripped', () => {
    expect(where('/runtime/healthz')).toBe('runtime /healthz');
    expect(where('/runtime/factory/live?token=a/b?c')).toBe('runtime /factory/live?token=a/b?c');
    // The controller itself is private; what the runtime says of it is not.
    expect([where('/runtime/sandbox', false), where('/sandbox', false)]).toEqual(['runtime /sandbox', 'private']);
    expect(where('/connect/call?x=1')).toBe('connect /connect/call?x=1');
    expect(where('/oauth/callback?code=1')).toBe('oauth /oauth/callback?code=1');
  });

  it('sends runs and receipts to the runtime with and without its prefix', () => {
    for (const target of [
      '/agents/factory/jobs',
      '/jobs?status=queued',
      '/jobs/job_1/events',
      '/service/stream?from=1',
    ]) {
      const found = route(target, false);
      expect(found).toEqual({ ...found, kind: 'service', path: target });
      expect(found).toMatchObject({ service: { upstream: 'runtime' } });
      expect(where(`/runtime${target}`, false)).toBe(`runtime ${target}`);
    }
    expect(where('/service-debug/jobs', false)).toBe('service-debug /service-debug/jobs');
    for (const target of ['/jobs-x', '/agentsmith', '/services', '/job']) expect(where(target)).toBe(`web ${target}`);
  });

  it('rule 6: a prefix ends at a slash', () => {
    expect(where('/runtime-extra/health')).toBe('web /runtime-extra/health');
    expect(where('/integrations-connectivity')).toBe('web /integrations-connectivity');
    fc.assert(
      fc.property(
        fc.constantFrom(...SERVICE_GRAPH.filter(({ prefix }) => prefix !== '/')),
        fc.stringMatching(/^[a-z0-9_~.-]{1,8}$/),
        (service, tail) => {
          const found = route(`${service.prefix}${tail}`, true);
          if (found.kind === 'service') expect(found.service.name).not.toBe(service.name);
        },
      ),
    );
  });

  it('rule 7: a bare /runtime is the root of the runtime', () => {
    expect(where('/runtime')).toBe('runtime /');
    expect(where('/runtime?a=1')).toBe('runtime /?a=1');
    expect(where('/runtime/')).toBe('runtime /');
    expect(where('/runtime/runtime')).toBe('runtime /runtime');
  });

  it('shows a browser the page at /integrations, and hands everything else there to the integration provider', () => {
    const opened = (target: string): string => {
      const found = route(target, false, () => true);
      return found.kind === 'service' ? `${found.service.name} ${found.path}` : found.kind;
    };
    expect(opened('/integrations')).toBe('web /integrations');
    expect(opened('/integrations?org=acme')).toBe('web /integrations?org=acme');
    expect(where('/integrations')).toBe('integrations /');
    for (const path of ['', 'health', 'api/v1/meta'])
      expect(opened(`/integrations/${path}`)).toBe(`integrations /${path}`);
    expect(opened('/runtime')).toBe('runtime /');
    expect(opened('/integrations-connect')).toBe('integrations-connect /');
  });

  it('lets an encoded slash stand in a path where it changes nothing', () => {
    expect(where('/receipts/connect%2Fws_1', false)).toBe('web /receipts/connect%2Fws_1');
    expect(where('/runtime/service/stream%2F1', false)).toBe('runtime /service/stream%2F1');
  });

  it('refuses a path that two readers would take to different services', () => {
    for (const target of [
      '/%72untime/healthz',
      '//connect/call',
      '/connect%2Fcall',
      '/a/../connect',
      '/runtime/./healthz',
      '/runtime\\healthz',
    ])
      expect(where(target), target).toBe('malformed');
  });

  it('hides a private service behind every spelling of its path', () => {
    // Every character of the path may be written plain, encoded once or encoded twice; slashes may be doubled.
    const spelling = (path: string): fc.Arbitrary<string> =>
      fc
        .array(fc.nat(5), { minLength: path.length, maxLength: path.length })
        .map((ways) =>
          [...path].map((char, i) => (i === 0 ? (ways[i] === 1 ? '//' : '/') : spell(char, ways[i] ?? 0))).join(''),
        );
    fc.assert(
      fc.property(
        fc.constantFrom(...PRIVATE).chain(({ prefix }) => spelling(prefix)),
        fc.constantFrom('', '/', '/x', '?q=1', '%2f', '//', '%3f', '/%2e', '/..'),
        (spelled, tail) => {
          expect(['private', 'malformed']).toContain(route(spelled + tail, false).kind);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('never shows a private service to a stranger, whatever the target', () => {
    const piece = fc.constantFrom(
      '/',
      '//',
      '\\',
      '%2f',
      '%5c',
      '.',
      '..',
      '%2e',
      '%252e',
      'runtime',
      'metrics',
      '%6detrics',
      'broker',
      'sandbox',
      'connect',
      '?',
      '#',
      '%00',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const found = route(`/${pieces.join('')}`, false);
        if (found.kind !== 'service') return;
        expect(found.service.private).toBe(false);
        const lenient = new URL(`http://host${found.path}`).pathname
          .replace(/%[0-9a-f]{2}/gi, (code) => decodeURIComponent(code))
          .replace(/\/+/g, '/');
        if (found.service.upstream === 'runtime') expect(lenient).not.toMatch(/^\/metrics(\/|$)/);
      }),
      { numRuns: 5000 },
    );
  });

  it('asks for a service at /', () => {
    expect(() => createRouter(SERVICE_GRAPH.filter(({ prefix }) => prefix !== '/'))).toThrow('no service at /');
  });
});

function spell(char: string, way: number): string {
  const hex = char.charCodeAt(0).toString(16);
  if (way === 1) return `%${hex}`;
  if (way === 2) return `%25${hex.toUpperCase()}`;
  if (way === 3 && char === '/') return '//';
  if (way === 4 && char === '/') return '%5C';
  return char;
}
