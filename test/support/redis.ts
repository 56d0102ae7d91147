import { type ChildProcess, spawn } from 'node:child_process';
import { getProgram } from '../../scripts/test-programs.ts';
import { awaitPort } from './await-port.ts';
import { freePort } from './free-port.ts';

export async function startRedis(port?: number): Promise<{ url: string; port: number; stop(): Promise<void> }> {
  const chosen = port ?? (await freePort());
  const child: ChildProcess = spawn(
    getProgram('redis-server'),
    ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await awaitPort(chosen, child);
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
