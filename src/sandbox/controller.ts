// The controller: leases on the sandboxes of one driver. A sandbox lives until it is destroyed or its lease ends; a
// command until it exits, times out, or no caller reads its output.
import { createHash } from 'node:crypto';
import type { LimitMeans } from '../contract/sandbox-limits.ts';
import { AppError } from '../base/errors.ts';
import type { Readable, Writable } from 'node:stream';
import type { DriverSandbox, WorkspaceFiles } from './driver.ts';
import type { ExecLog } from './exec-log.ts';
import { createLeases, type Lease, type LeaseOptions } from './leases.ts';
import { TIME_LIMIT_MS, withDefaults } from './limits.ts';
import type { CreateBody, ExecBody, SandboxInfo } from './protocol.ts';
import { restoreSnapshot, type Restoring, saveSnapshot, type Saving } from './snapshot.ts';
import { type Execution, startExecution } from './start-execution.ts';

export interface SandboxController {
  create(body: CreateBody): Promise<SandboxInfo>;
  exec(id: string, body: ExecBody): Promise<ExecLog>;
  /** The log of a command that is running or has ended recently. */
  attach(id: string, execId: string): ExecLog;
  files(id: string): WorkspaceFiles;
  /** Resolves once the archive is written as a whole; rejects if it is not. */
  saveSnapshot(id: string, to: Writable, options: Saving): Promise<void>;
  restoreSnapshot(id: string, from: Readable, options: Restoring): Promise<void>;
  renew(id: string, ttlMs: number): SandboxInfo;
  /** Kills one command, or all; resolves once they are gone. */
  kill(id: string, execId?: string): Promise<void>;
  destroy(id: string): Promise<void>;
  readonly size: number;
  /** Removes every sandbox and returns their ids. */
  close(): Promise<readonly string[]>;
}

/** Ended commands whose log is kept for a caller that reconnects. */
const KEPT_EXECUTIONS = 8;

export interface ControllerOptions extends LeaseOptions {
  readonly limits: LimitMeans;
}

export function createController(options: ControllerOptions): SandboxController {
  const { driver, limits } = options;
  const keys = new Map<string, { readonly body: string; readonly made: Promise<SandboxInfo> }>();
  const leases = createLeases(options, ({ idempotencyKey: key }) => {
    if (key !== undefined) keys.delete(key);
  });
  const inform = ({ id, expiresAt }: Lease): SandboxInfo => ({
    id,
    expiresAt: new Date(expiresAt).toISOString(),
    driver: driver.name,
    limits,
  });
  /** What fails because the sandbox was removed meanwhile says so. */
  const whileThere = async (id: string, work: (sandbox: DriverSandbox) => Promise<void>): Promise<void> => {
    await work(leases.get(id).sandbox).catch((error: unknown) => {
      leases.get(id);
      throw error;
    });
  };

  return {
    get size() {
      return leases.size;
    },
    async create(body) {
      const { idempotencyKey: key } = body;
      if (key === undefined) return inform(await leases.make(body));
      const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
      const known = keys.get(key);
      if (known !== undefined && known.body !== digest) throw new AppError('idempotency_conflict');
      if (known !== undefined) return known.made;
      const made = leases.make(body).then(inform);
      keys.set(key, { body: digest, made });
      made.catch(() => keys.delete(key));
      return made;
    },
    async exec(id, body) {
      const lease = leases.get(id);
      const execution = await launch(lease, body);
      // The sandbox may have been removed while the command was being launched.
      if (!leases.has(id)) execution.end('expired');
      keepExecution(lease.executions, execution);
      return execution.log;
    },
    attach(id, execId) {
      const execution = leases.get(id).executions.get(execId);
      if (execution === undefined) throw new AppError('not_found');
      return execution.log;
    },
    files: (id) => leases.get(id).sandbox.files,
    saveSnapshot: (id, to, options) => whileThere(id, (sandbox) => saveSnapshot(sandbox, to, options)),
    restoreSnapshot: (id, from, options) => whileThere(id, (sandbox) => restoreSnapshot(sandbox, from, options)),
    renew: (id, ttlMs) => inform(leases.renew(id, ttlMs)),
    async kill(id, execId) {
      const { sandbox, executions } = leases.get(id);
      if (execId !== undefined) {
        const execution = executions.get(execId);
        execution?.end('killed');
        return execution?.done;
      }
      for (const execution of executions.values()) execution.end('killed');
      await sandbox.kill();
      await Promise.all([...executions.values()].map(({ done }) => done));
      return undefined;
    },
    destroy: (id) => leases.destroy(id, 'killed'),
    async close() {
      leases.shut();
      await Promise.allSettled([...keys.values()].map(({ made }) => made));
      return leases.destroyAll();
    },
  };
}

function launch({ sandbox, spec, expiresAt }: Lease, body: ExecBody): Promise<Execution> {
  return startExecution({
    sandbox,
    command: {
      argv: body.argv,
      env: body.env,
      cwd: body.cwd,
      ...(body.stdin === undefined ? {} : { stdin: Buffer.from(body.stdin) }),
    },
    outputBytes: withDefaults(spec.limits).outputBytes,
    timeoutMs: Math.max(1, Math.min(body.timeoutMs ?? TIME_LIMIT_MS, expiresAt - Date.now())),
  });
}

function keepExecution(executions: Map<string, Execution>, execution: Execution): void {
  executions.set(execution.id, execution);
  const ended = [...executions.values()].filter((one) => one.log.ended);
  for (const old of ended.slice(0, Math.max(0, ended.length - KEPT_EXECUTIONS))) executions.delete(old.id);
}
