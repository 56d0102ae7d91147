// Whether every part runs the build of this program. The process table has the parts with a database; the others say it
// in their answer to /healthz.
import { buildInfo, fullVersion, UNBUILT } from '../../../process/build-info.ts';
import { sandboxUrl } from '../../../net/addresses.ts';
import { createSandboxClient } from '../../../sandbox/client.ts';
import { listProcesses } from '../../../store/process-registry.ts';
import { callPart } from './call-part.ts';
import type { Deployment } from './deployment.ts';
import { type Finding, ok, warning } from './finding.ts';

export interface Running {
  readonly part: string;
  readonly version?: string | undefined;
  readonly build?: string | undefined;
}

const ANSWER_MS = 4_000;

/** A part that does not answer, or that is not of this service, is found by its own check. */
export async function checkBuilds(deployment: Deployment): Promise<Finding[]> {
  const running = [...(await processesOf(deployment)), ...(await askBuilds(deployment))];
  const mine = buildInfo();
  // One that is run from its sources is of no build: then the parts are compared with each other.
  const [first = mine] = running;
  const expected = mine.build === UNBUILT ? describe(first) : fullVersion(mine);
  const others = new Set(
    running.filter((part) => describe(part) !== expected).map((part) => `${part.part} (${describe(part)})`),
  );
  if (others.size === 0) return [ok(`every part that answers is of one build: ${expected}`)];
  return [
    warning(
      `not all parts are of one build (${expected}): ${[...others].sort().join(', ')}`,
      'Two builds should run at once only during an upgrade.',
      'Start them again from the build that is deployed.',
    ),
  ];
}

/** Those that are in the process table. */
export async function processesOf(deployment: Deployment): Promise<Running[]> {
  const processes = await listProcesses(await deployment.storage());
  return processes
    .filter(({ state }) => state === 'running')
    .map(({ role, version, build }) => ({ part: role, version, build }));
}

/** Of the parts that are not in the process table. */
export async function askBuilds({ config, stack }: Deployment): Promise<Running[]> {
  const local = (part: 'local-integrations' | 'demo-providers'): [string, string][] => {
    const port = stack?.parts[part]?.port;
    return port === undefined ? [] : [[part, `http://127.0.0.1:${port}/healthz`]];
  };
  const asked: readonly [string, string][] = [
    ['gateway', `http://127.0.0.1:${config.SERVICE_GATEWAY_PORT}/gateway/healthz`],
    ...local('local-integrations'),
    ...local('demo-providers'),
  ];
  const answers = await Promise.all([
    ...asked.map(async ([part, url]): Promise<Running | undefined> => {
      const answer = await callPart(url);
      return answer.answered && answer.status === 200 ? { part, ...read(answer.text) } : undefined;
    }),
    createSandboxClient({ url: sandboxUrl(config), token: config.SERVICE_SANDBOX_TOKEN })
      .health(AbortSignal.timeout(ANSWER_MS))
      .then(({ version, build }): Running => ({ part: 'sandbox', version, build }))
      .catch(() => undefined),
  ]);
  return answers.filter((answer) => answer !== undefined);
}

function describe({ version = 'unknown', build }: Omit<Running, 'part'>): string {
  return build === undefined ? version : fullVersion({ version, build });
}

/** Nothing for a program that answers something else. */
function read(text: string): Omit<Running, 'part'> {
  try {
    const { version, build } = JSON.parse(text) as Record<string, unknown>;
    return {
      version: typeof version === 'string' ? version : undefined,
      build: typeof build === 'string' ? build : undefined,
    };
  } catch {
    return {};
  }
}
