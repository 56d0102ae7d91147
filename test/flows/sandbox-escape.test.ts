// Every known way out is tried from inside, and the same words without a sandbox, to show that the attempt is sound.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import { asNamespaceRoot, ATTEMPTS, controlScript } from '../support/sandbox/sandbox-attempts.ts';
import {
  type ControllerProcess,
  isRoot,
  runIn,
  runOutside,
  sandboxDirectory,
  startController,
  WAYS,
} from '../support/sandbox/sandbox.ts';

/** Root proves more of them sound than anyone else can. */
const PROVEN = isRoot ? 43 : 27;

for (const way of WAYS)
  describe(`a way out of the sandbox ${way.name}`, leaveOut(way.leftOut), () => {
    let controller: ControllerProcess;
    let id: string;
    let victim: ChildProcess;
    let directory: string;
    let environment: Record<string, string>;
    const servers: Server[] = [];
    const unproven: string[] = [];

    beforeAll(async () => {
      controller = await startController(way.options);
      ({ id } = await controller.client.create({}));
      directory = await mkdtemp(join(tmpdir(), 'service-sandbox-planted-'));
      // Everybody may read it, so that what hides it is the sandbox and not its mode.
      await chmod(directory, 0o755);
      await writeFile(join(directory, 'planted'), 'a secret of the machine', { mode: 0o644 });
      const kept = join(directory, 'artifacts', 'job_1', 'run-log', 'snapshot');
      await mkdir(kept, { recursive: true });
      await writeFile(join(kept, 'manifest.json'), '{}');
      victim = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
      const abstract = `service-sandbox-test-${process.pid}`;
      const tcp = createServer((socket) => socket.on('error', () => {}).end());
      const local = createServer((socket) => socket.on('error', () => {}).end());
      servers.push(tcp, local);
      await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
      await new Promise<void>((resolve) => local.listen(`\0${abstract}`, resolve));
      const address = tcp.address();
      environment = {
        PLANTED: join(directory, 'planted'),
        KEPT: kept,
        CONTROLLER: String(controller.child.pid),
        VICTIM: String(victim.pid),
        ABSTRACT: abstract,
        PORT: String(address !== null && typeof address === 'object' ? address.port : 0),
        SOCKET: controller.url.slice('unix:'.length),
        NEIGHBOUR: join(sandboxDirectory(controller.directory, way), 'boxes'),
      };
    });

    afterAll(async () => {
      victim?.kill('SIGKILL');
      for (const server of servers) server.close();
      await controller?.remove();
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    });

    it.each(ATTEMPTS)('is closed: $name', async (attempt) => {
      const plain = await runOutside(controlScript(attempt), environment);
      // What an ordinary user may not do anywhere is tried as the root of a namespace, where more is allowed.
      const outside =
        isRoot || plain.stdout.includes('WORKED') ? plain : await runOutside(asNamespaceRoot(attempt), environment);
      // A kernel may lack the thing itself; then there is nothing to close.
      if (!outside.stdout.includes('WORKED'))
        return expect
          .soft(unproven.push(`${attempt.name}: ${outside.stdout}${outside.stderr}`))
          .toBeLessThan(ATTEMPTS.length - PROVEN);
      const inside = await runIn(controller.client, id, { argv: ['bash', '-c', attempt.script], env: environment });
      expect(inside.stdout).not.toContain('WORKED');
      return expect(inside.exit.reason).toBeUndefined();
    });

    it(`was tried in at least ${PROVEN} ways that work without a sandbox`, () => {
      expect(ATTEMPTS.length - unproven.length, unproven.join('\n')).toBeGreaterThanOrEqual(PROVEN);
    });
  });
