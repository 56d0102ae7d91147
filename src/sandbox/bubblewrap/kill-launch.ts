// Kills a launch with everything it has started. Killing bubblewrap alone is not enough: right after it has created the
// first process of the sandbox, and before that one asked to die with its parent, the process would be orphaned and
// wait forever. So the launch is stopped first, which keeps it from creating another, then its descendants are killed,
// then the launch itself.
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
