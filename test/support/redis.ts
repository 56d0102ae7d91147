import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getProgram } from '../../scripts/test-programs.ts';
import { freePort } from './free-port.ts';

export async function startRedis(port?: number): Promise<{ url: string; port: number; stop(): Promise<void> }> {
  const chosen = port ?? (await freePort());
  const child: ChildProcess = spawn(getProgram('redis-server'), ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!(await canConnect(chosen))) await sleep(20);
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
