// The cost of the checks of a tool call, each next to an operation of well-known cost.
import { z } from 'zod';
import { findJsonFault } from '../src/base/json-scanner.ts';
import type { ProxyTool } from '../src/catalog/connector-types.ts';
import { loadConnectors } from '../src/catalog/load-connectors.ts';
import { findRefusal } from '../src/tools/authorize-tool.ts';
import { createSchemaChecks } from '../src/tools/compile-schemas.ts';
import { mapArguments } from '../src/tools/map-arguments.ts';
import { parseResourcePath } from '../src/tools/parse-resource-path.ts';
import { encodeQuery } from '../src/tools/provider-call.ts';
import { median } from './support/median.ts';

const ROUNDS = 5;
const ROUND_MS = 150;

interface Pair {
  readonly name: string;
  readonly ours: () => unknown;
  readonly against: string;
  readonly theirs: () => unknown;
}

export async function bench(report: (line: string) => void): Promise<void> {
  const github = loadConnectors().byId['github'];
  const tool = github?.tools.find(({ name }) => name === 'list-issues') as ProxyTool;
  const given = { owner: 'acme', repo: 'app', state: 'open', labels: 'bug,ui', per_page: 50, page: 2 };
  const schemas = createSchemaChecks();
  const zod = z.fromJSONSchema(structuredClone(tool.inputSchema) as never);
  const question = {
    isMember: true,
    scopes: new Set(['connect:read'] as const),
    policy: { actions: { 'create-issue': true } },
    tool,
  };
  const path = '/2.0/repositories/acme/app/pullrequests';
  const answer = JSON.stringify({
    items: Array.from({ length: 2_000 }, (_, at) => ({
      id: at,
      title: `An issue with a title "${at}"`,
      labels: ['bug', 'ui'],
    })),
  });
  const bytes = Buffer.from(answer);

  const pairs: Pair[] = [
    {
      name: 'schema check (ajv)',
      ours: () => schemas.check(tool.inputSchema, given),
      against: 'zod 4',
      theirs: () => zod.parse(given),
    },
    {
      name: 'path parser',
      ours: () => parseResourcePath(path),
      against: 'new URL',
      theirs: () => new URL(path, 'https://api.provider.test'),
    },
    {
      name: 'argument mapping',
      ours: () => encodeQuery(mapArguments(tool, given).query),
      against: 'new URL + searchParams',
      theirs: () => {
        const url = new URL('https://x.test/repos/acme/app/issues');
        for (const [key, value] of Object.entries(given)) url.searchParams.set(key, String(value));
        return url.href;
      },
    },
    {
      name: 'authorization',
      ours: () => findRefusal(question),
      against: 'JSON.parse of a small object',
      theirs: () => JSON.parse('{"member":true,"scopes":["connect:read"]}'),
    },
    {
      name: `measuring ${(answer.length / 1024).toFixed(0)} KiB`,
      ours: () => findJsonFault(bytes),
      against: 'JSON.parse of it',
      theirs: () => JSON.parse(answer),
    },
  ];
  report(`tools, operations per second, median of ${ROUNDS} rounds`);
  for (const { name, ours, against, theirs } of pairs) {
    const rates: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const [a, b] = [rate(ours), rate(theirs)];
      if (round === 0) continue;
      rates[0].push(a);
      rates[1].push(b);
    }
    const [a, b] = [median(rates[0]), median(rates[1])];
    report(`  ${name.padEnd(26)} ${a.toFixed(0).padStart(9)}   ${(a / b).toFixed(2)}× of ${against}`);
  }
}

function rate(work: () => unknown): number {
  const startedAt = performance.now();
  let done = 0;
  let elapsedMs = 0;
  while (elapsedMs < ROUND_MS) {
    for (let turn = 0; turn < 20; turn++) work();
    done += 20;
    elapsedMs = performance.now() - startedAt;
  }
  return (done / elapsedMs) * 1_000;
}
