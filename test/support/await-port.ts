// Waits until a program that was started listens. A program that ends before it does is an error with its exit code,
// not a wait without end.
import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { poll } from './poll.ts';

export async function awaitPort(port: number, child: ChildProcess): Promise<void> {
  await poll(async () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${child.spawnfile} ended with ${child.exitCode ?? child.signalCode} before it listened`);
    return canConnect(port);
  });
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
