// The engine that runs the containers: Docker, or else podman, which has the same command line. An engine that is
// installed but does not answer does not prevent using the other.
import { access, constants } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Probe } from '../driver.ts';
import { type Docker, dockerProgram, findError } from './docker-program.ts';
import { type EngineInfo, explainMissingLimits, readEngineInfo } from './engine-info.ts';

const NAMES = ['docker', 'podman'];
const DIRECTORIES = ['/usr/bin', '/usr/local/bin', '/bin'];

export interface Engine {
  readonly program: Docker;
  readonly info: EngineInfo;
}

export type EngineRefusal = Extract<Probe, { ok: false }>;
export type Found = { readonly ok: true; readonly engine: Engine } | EngineRefusal;

export interface EngineSearch {
  /** An OCI runtime that the engine must have in addition to its own. */
  readonly runtime: string | undefined;
  /** The part of our environment that its client gets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Used instead of the installed programs. */
  readonly programs: readonly string[] | undefined;
}

export async function findEngine({ runtime, variables, programs }: EngineSearch): Promise<Found> {
  const refusals: EngineRefusal[] = [];
  for (const program of programs ?? (await findPrograms())) {
    const found = await askEngine(program, dockerProgram(program, variables), runtime);
    if (found.ok) return found;
    refusals.push(found);
  }
  const present = refusals.filter(({ absent }) => absent !== true);
  const told = present.length > 0 ? present : refusals;
  const [first] = told;
  if (first === undefined)
    return {
      ok: false,
      reason: 'neither docker nor podman is installed',
      fix: 'install Docker or podman, or use bubblewrap',
      absent: true,
    };
  return { ...first, reason: [...new Set(told.map(({ reason }) => reason))].join('; ') };
}

async function findPrograms(): Promise<string[]> {
  const found: string[] = [];
  for (const name of NAMES) {
    for (const path of DIRECTORIES.map((directory) => join(directory, name))) {
      if (
        !(await access(path, constants.X_OK).then(
          () => true,
          () => false,
        ))
      )
        continue;
      found.push(path);
      break;
    }
  }
  return found;
}

async function askEngine(path: string, program: Docker, runtime: string | undefined): Promise<Found> {
  const info = await askInfo(program, []);
  if (info instanceof Error) {
    const fix =
      basename(path) === 'docker'
        ? 'start the Docker daemon and let the user of the controller use it, or name its address in DOCKER_HOST'
        : `run ${basename(path)} info as the user of the controller and fix what it complains about`;
    return { ok: false, reason: `${basename(path)} does not answer (${info.message})`, fix };
  }
  if (runtime !== undefined && !(await hasRuntime(program, info, runtime)))
    return {
      ok: false,
      reason: `${info.kind} has no runtime ${runtime}`,
      fix: `install gVisor and register its runtime with ${info.kind}`,
      absent: true,
    };
  // Without root runsc creates no cgroups and does not report it, and it cannot be detected from inside its kernel.
  if (runtime !== undefined && info.rootless)
    return {
      ok: false,
      reason: `${runtime} enforces no limits under rootless ${info.kind}`,
      fix: `use ${info.kind} as root, or SERVICE_SANDBOX_DRIVER=docker`,
    };
  const missing = explainMissingLimits(info);
  return missing === undefined ? { ok: true, engine: { program, info } } : { ok: false, ...missing };
}

/** Docker lists its runtimes; podman reports a missing one only when asked to use it. */
async function hasRuntime(program: Docker, info: EngineInfo, runtime: string): Promise<boolean> {
  if (info.kind === 'docker') return info.runtimes.includes(runtime);
  const asked = await askInfo(program, ['--runtime', runtime]);
  return !(asked instanceof Error) && asked.runtimes.includes(runtime);
}

async function askInfo(program: Docker, options: readonly string[]): Promise<EngineInfo | Error> {
  const { code, stdout, stderr } = await program.run([...options, 'info', '--format', '{{json .}}']);
  if (code !== 0) return new Error(findError(stderr));
  try {
    return readEngineInfo(stdout);
  } catch (error) {
    return new Error(
      error instanceof SyntaxError || !(error instanceof Error)
        ? 'its answer cannot be read'
        : findError(error.message),
    );
  }
}
