// Ends a launch with everything that it has started. Killing bubblewrap alone is not enough: in the moment after it has
// made the first process of the sandbox, and before that one asked to die with it, the process would stay behind and
// wait for its parent forever. So the launch is stopped first, which keeps it from making another, then its
// descendants are ended, then itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from '../signal-process.ts';
import { descendants, readProcess, readProcesses } from '../watchdog/read-processes.ts';

const PAUSE_MS = 1;

export async function killLaunch(pid: number): Promise<void> {
  const startTime = readProcess(pid)?.startTime;
  if (startTime === undefined) return;
  signalProcess(pid, 'SIGSTOP');
  for (;;) {
    const found = readProcess(pid);
    if (found === undefined || found.startTime !== startTime || found.stopped) break;
    await sleep(PAUSE_MS);
  }
  for (const one of descendants(readProcesses(), [pid]).toReversed()) signalProcess(one.pid, 'SIGKILL');
  signalProcess(pid, 'SIGKILL');
}
