// Starts the parts of a deployment as its files say: their commands, their environment, and the files that the image
// holds, nothing else. Only what a machine of its own would give each part is replaced: host names, ports, the data
// directory.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DEPLOY, type DeployedPart, type Variables } from '../../../scripts/read-deploy-files.ts';
import { isUp, poll } from '../poll.ts';

const ROOT = join(DEPLOY, '..');
const PORT_VARIABLES: Readonly<Record<string, string>> = {
  gateway: 'SERVICE_GATEWAY_PORT',
  web: 'SERVICE_WEB_PORT',
  'runtime-api': 'SERVICE_RUNTIME_PORT',
  broker: 'SERVICE_BROKER_PORT',
};
const PORTS: Readonly<Record<string, number>> = {
  gateway: 4000,
  web: 4001,
  'runtime-api': 4002,
  broker: 4003,
  sandbox: 4008,
};
const PATIENCE_MS = 90_000;

/** The last stage of the image as a directory, by its own COPY lines; a checkout that is built stands for the builder. */
export function unpackImage(into: string): { environment: Variables } {
  const lines = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  const stage = lines.slice(
    lines.findIndex((line) => line.endsWith(' AS service')),
    lines.findIndex((line) => line.endsWith(' AS sandbox')),
  );
  for (const line of stage.filter((one) => one.startsWith('COPY '))) {
    const [from = '', to = ''] = line
      .split(/\s+/)
      .slice(1)
      .filter((word) => !word.startsWith('--'));
    const target = resolve(into, to.replace(/^\/usr\/local\//, './'));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, from.replace(/^\/build\//, '')), target, { recursive: true });
  }
  const environment = stage
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => line.split(/\s+/).slice(1))
    .map((pair) => pair.split('='));
  return { environment: Object.fromEntries(environment) as Variables };
}

export interface Ground {
  /** Where the image was unpacked. */
  readonly app: string;
  /** What the image says for every part. */
  readonly environment: Variables;
  readonly dataDirectory: string;
  /** The first of nine free ports in a row. */
  readonly port: number;
  /** Further texts to replace, such as the database's host. */
  readonly replace: Variables;
}

export interface Deployment {
  readonly url: string;
  readonly parts: ReadonlyMap<string, ChildProcess>;
  logOf(name: string): string;
  /** Runs the part's own health check and tells its exit code. */
  checkHealth(part: DeployedPart): number | null;
  /** The exit code of each part after SIGTERM. */
  stop(): Promise<Record<string, number | null>>;
}

export async function startDeployment(deployed: readonly DeployedPart[], ground: Ground): Promise<Deployment> {
  const ports = Object.fromEntries(Object.entries(PORTS).map(([name, port]) => [name, ground.port + port - 4000]));
  const url = `http://localhost:${ports['gateway']}`;
  const here = (text: string): string => {
    let moved = text;
    for (const [name, port] of Object.entries(PORTS))
      moved = moved.replaceAll(
        new RegExp(String.raw`//(?:${name}(?:\.[\w-]+)?|127\.0\.0\.1):${port}\b`, 'g'),
        `//127.0.0.1:${ports[name]}`,
      );
    for (const [from, to] of Object.entries(ground.replace)) moved = moved.replaceAll(from, to);
    return moved.replaceAll('https://agents.example.org', url);
  };
  const parts = new Map<string, ChildProcess>();
  const logs = new Map<string, string>();
  const environmentOf = ({ name, environment }: DeployedPart): Record<string, string> => ({
    ...ground.environment,
    ...Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, here(value)])),
    SERVICE_DATA_DIR: name === 'sandbox' ? `${ground.dataDirectory}-sandbox` : ground.dataDirectory,
    // Each part has a network of its own in a deployment; here they share one, so each that listens gets its own port.
    ...Object.fromEntries(Object.entries(PORT_VARIABLES).map(([part, variable]) => [variable, String(ports[part])])),
    PATH: `${join(ground.app, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin`,
  });
  const run = (words: readonly string[]): [string, string[]] => {
    const [program = '', ...args] = words.map((word) =>
      word.replace('/opt/service/node_modules/node/bin/', `${join(ground.app, 'bin')}/`),
    );
    return [program, args.map(here)];
  };

  for (const part of deployed.filter(({ name }) => !['postgres', 'nango'].includes(name))) {
    const child = spawn(...run(part.command), {
      cwd: ground.app,
      env: environmentOf(part),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => logs.set(part.name, (logs.get(part.name) ?? '') + text));
    parts.set(part.name, child);
  }
  const ended = new Map(
    [...parts].map(([name, child]) => [name, new Promise<number | null>((done) => child.once('close', done))]),
  );
  const deployment: Deployment = {
    url,
    parts,
    logOf: (name) => logs.get(name) ?? '',
    checkHealth(part) {
      const [program, args] = run(part.healthcheck ?? []);
      return spawnSync(program, args, { cwd: ground.app, env: environmentOf(part), encoding: 'utf8' }).status;
    },
    async stop() {
      for (const child of parts.values()) if (child.exitCode === null) child.kill('SIGTERM');
      return Object.fromEntries(await Promise.all([...ended].map(async ([name, code]) => [name, await code] as const)));
    },
  };
  await answering(deployment, logs);
  return deployment;
}

/** Until the two servers behind the gateway are well; a part that ends before that says why in its log. */
async function answering({ url, parts, stop }: Deployment, logs: ReadonlyMap<string, string>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  await poll(async () => {
    const well = await Promise.all(['/healthz', '/runtime/healthz'].map((path) => isUp(`${url}${path}`)));
    if (well.every(Boolean)) return true;
    const dead = [...parts].find(([, child]) => child.exitCode !== null);
    if (dead || Date.now() > deadline) {
      await stop();
      throw new Error(
        dead
          ? `${dead[0]} ended: ${logs.get(dead[0])}`
          : `no answer: ${[...logs].map(([name, text]) => `${name}: ${text.slice(-600)}`).join('\n')}`,
      );
    }
    return false;
  });
}
