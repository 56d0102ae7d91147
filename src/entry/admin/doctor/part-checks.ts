import { brokerUrl, isLoopbackHost, runtimeUrl, sandboxUrl, webUrl } from '../../../net/addresses.ts';
import { PROCESS_ROLES, RUNTIME_ROLES } from '../../../process/process-roles.ts';
import { describeLimits, findWeakLimits } from '../../../contract/sandbox-limits.ts';
import { callController, type Endpoint } from '../../../sandbox/call-controller.ts';
import { createSandboxClient } from '../../../sandbox/client.ts';
import { callPart } from './call-part.ts';
import { CLOCK_AHEAD, CLOCK_OFF_MS, listProcesses } from '../../../store/process-registry.ts';
import { fault, type Finding, notice, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';

const SANDBOX_ANSWER_MS = 4_000;
const START_ALL = 'Start it (npm start runs every part; alone: ';

export async function checkBroker({ config }: Deployment): Promise<Finding[]> {
  const url = brokerUrl(config);
  const token = config.SERVICE_BROKER_TOKEN;
  const answer = await callPart(
    `${url}/figures`,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  const why = 'Background runs are recorded and wait until the broker answers.';
  if (!answer.answered)
    return [
      fault(
        `the broker cannot be reached at ${plain(url)}: ${answer.reason}`,
        why,
        `${START_ALL}npm run broker), or correct SERVICE_BROKER_URL or SERVICE_BROKER_PORT.`,
      ),
    ];
  if (answer.status === 401 || answer.status === 403)
    return [
      fault(
        'the broker refuses SERVICE_BROKER_TOKEN',
        why,
        'Give the broker and every role the same SERVICE_BROKER_TOKEN, and start them again.',
      ),
    ];
  // Another broker of the same protocol has no figures.
  if (answer.status === 404)
    return [notice(`the broker at ${plain(url)} answers, but is not of this build`, 'Its queues cannot be checked.')];
  if (answer.status !== 200)
    return [
      fault(`the broker at ${plain(url)} answers ${answer.status}`, why, 'Read its log; it needs SERVICE_UPSTREAM_DB.'),
    ];
  const open = await callPart(`${url}/figures`);
  if (open.answered && open.status === 200)
    return [
      fault(
        'the broker does not require a token',
        'Anyone who can connect to it, including every user of this machine, can take and change the runs of others.',
        'Set SERVICE_BROKER_TOKEN on the broker and every role to the output of: openssl rand -hex 32, unset SERVICE_BROKER_ALLOW_OPEN, and start them again.',
      ),
    ];
  return [ok('the broker answers, and requires its token')];
}

export async function checkRoles(deployment: Deployment): Promise<Finding[]> {
  const processes = await listProcesses(await deployment.storage());
  const findings: Finding[] = [];
  for (const role of [...RUNTIME_ROLES, 'web'] as const) {
    const own = processes.filter((one) => one.role === role);
    if (own.some(({ state }) => state === 'running')) continue;
    const start = role === 'web' ? 'npm run web' : `SERVICE_PROCESS_ROLE=${role} npm run runtime`;
    const seen = own.find(({ state }) => state === 'lost');
    findings.push(
      fault(
        seen
          ? `the process of the role ${role} was lost ${Math.round(seen.seenAgoSeconds)} s ago`
          : `no process is running in the role ${role}`,
        role === 'web' ? WITHOUT_WEB : PROCESS_ROLES[role].without,
        `Start it: ${start}, with the same SERVICE_UPSTREAM_DB and SERVICE_DATA_DIR (or SERVICE_DB_SCHEMA) as the others.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('all roles and the web server are running')];
}

/** Each process compares its machine's clock with PostgreSQL's at every heartbeat. */
export async function checkClocks(deployment: Deployment): Promise<Finding[]> {
  const processes = await listProcesses(await deployment.storage());
  const off = processes
    .filter(({ state }) => state !== 'lost')
    .map(({ role, host, figures }) => ({ role, host, aheadMs: figures[CLOCK_AHEAD] ?? 0 }))
    .filter(({ aheadMs }) => Math.abs(aheadMs) > CLOCK_OFF_MS);
  if (off.length === 0) return [ok('the clocks of the machines of all parts and of PostgreSQL agree')];
  return off.map(({ role, host, aheadMs }) =>
    warning(
      `the clock of ${host}, where the role ${role} runs, is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of PostgreSQL`,
      'Times of runs and receipts are corrected; short-lived tokens may be refused there, and its log has wrong times.',
      'Let that machine follow a time server (timedatectl set-ntp true).',
    ),
  );
}

const WITHOUT_WEB = 'No one can sign in, chat or change settings.';

export async function checkRuntime({ config }: Deployment): Promise<Finding[]> {
  return checkHttp(`${runtimeUrl(config)}/healthz`, {
    name: 'the runtime',
    variables: 'SERVICE_RUNTIME_URL or SERVICE_RUNTIME_PORT',
    command: 'npm run runtime',
    why: PROCESS_ROLES.api.without,
  });
}

export async function checkWeb({ config }: Deployment): Promise<Finding[]> {
  return checkHttp(`${webUrl(config)}/healthz`, {
    name: 'the web server',
    variables: 'SERVICE_WEB_URL or SERVICE_WEB_PORT',
    command: 'npm run web',
    why: WITHOUT_WEB,
  });
}

/** A part that answers over HTTP, and how to get it to work. */
interface HttpPart {
  readonly name: string;
  readonly variables: string;
  readonly command: string;
  readonly why: string;
}

async function checkHttp(url: string, { name, variables, command, why }: HttpPart): Promise<Finding[]> {
  const answer = await callPart(url);
  if (!answer.answered)
    return [
      fault(
        `${name} cannot be reached at ${plain(url)}: ${answer.reason}`,
        why,
        `${START_ALL}${command}), or correct ${variables}.`,
      ),
    ];
  if (answer.status === 503)
    return [
      fault(
        `${name} reports that its database does not answer`,
        why,
        'Fix the findings about storage; then it recovers on its own.',
      ),
    ];
  if (answer.status !== 200 || !answer.text.includes('"ok":true'))
    return [
      fault(
        `${plain(url)} answers ${answer.status}, unlike ${name}`,
        `Another program uses its port, or ${variables} is wrong.`,
        `Stop the other program, or correct ${variables}.`,
      ),
    ];
  return [ok(`${name} answers`)];
}

export async function checkSandbox({ config, role, isWithheld }: Deployment): Promise<Finding[]> {
  const withheld = isWithheld('SERVICE_SANDBOX_TOKEN');
  if (withheld && config.SERVICE_SANDBOX_URL === undefined)
    return [
      notice(
        `not checked: the role ${role} does not know the address of the sandbox controller`,
        'Only the workers do.',
        'Run the doctor in the environment of a worker, or with --bundle FILE.',
      ),
    ];
  const url = sandboxUrl(config);
  const why = 'Runs are executed only there: they fail or wait.';
  if (/^https?:/.test(url) && config.SERVICE_SANDBOX_TOKEN === undefined && !withheld)
    return [
      fault(
        'SERVICE_SANDBOX_URL is an http URL and SERVICE_SANDBOX_TOKEN is not set',
        'The controller does not start without it: anyone who can connect could execute commands.',
        'Set SERVICE_SANDBOX_TOKEN on the controller and the workers to the output of: openssl rand -hex 32',
      ),
    ];
  const endpoint = { url, token: config.SERVICE_SANDBOX_TOKEN };
  const health = await createSandboxClient(endpoint)
    .health(AbortSignal.timeout(SANDBOX_ANSWER_MS))
    .catch(() => undefined);
  if (health === undefined)
    return [
      fault(
        `the sandbox controller cannot be reached at ${url.startsWith('unix:') ? url : plain(url)}`,
        why,
        `${START_ALL}npm run sandbox), or correct SERVICE_SANDBOX_URL.`,
      ),
    ];
  if (!health.ok)
    return [fault(`the sandbox controller refuses every run: ${health.reason}`, why, `To fix it: ${health.fix}.`)];
  if (!withheld && (await refusesToken(endpoint)))
    return [
      fault(
        config.SERVICE_SANDBOX_TOKEN === undefined
          ? 'the sandbox controller requires a token, and SERVICE_SANDBOX_TOKEN is not set'
          : 'the sandbox controller refuses SERVICE_SANDBOX_TOKEN',
        why,
        'Give the controller and every worker the same SERVICE_SANDBOX_TOKEN, and start them again.',
      ),
    ];
  const weak = findWeakLimits(health.limits);
  if (weak.length > 0 && !isLoopbackHost(config.SERVICE_GATEWAY_HOST ?? ''))
    return [
      warning(
        `runs are isolated by ${health.driver}, with weak limits: ${describeLimits(health.limits)}`,
        'Weak limits are for development: a run may briefly take more of the machine than it should.',
        process.getuid?.() === 0
          ? 'Give the controller a cgroup with the controllers cpu, memory and pids, as its unit has, or a delegated cgroup; see docs/operators/sandbox.md.'
          : 'Run the controller as root, or in a delegated cgroup; see docs/operators/sandbox.md.',
      ),
    ];
  return [
    ok(
      `runs are isolated by ${health.driver}; ${describeLimits(health.limits)}${weak.length > 0 ? '; weak, but fine while only this machine can connect' : ''}`,
    ),
  ];
}

/** Asks for a sandbox that there is not: 404 with the right token, and 401 without. */
async function refusesToken(endpoint: Endpoint): Promise<boolean> {
  const signal = AbortSignal.timeout(SANDBOX_ANSWER_MS);
  const answer = await callController(endpoint, {
    method: 'GET',
    path: '/v1/sandboxes/doctor/files?path=/',
    signal,
  }).catch(() => undefined);
  answer?.destroy();
  return answer?.statusCode === 401 || answer?.statusCode === 403;
}

/** A URL without its secret parts. */
export function plain(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
