// A real transaction pooler in front of the run's PostgreSQL.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProgram } from '../../scripts/test-programs.ts';
import { awaitPort } from './await-port.ts';
import { freePort } from './free-port.ts';

/** @param settings lines of its [pgbouncer] section; `pool_mode = transaction` is given. */
export async function startPgbouncer(
  upstream: string,
  settings: string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const to = new URL(upstream);
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'service-pgbouncer-'));
  const ini = join(directory, 'pgbouncer.ini');
  await writeFile(
    ini,
    [
      '[databases]',
      `* = host=${to.hostname} port=${to.port} user=${to.username} password=${to.password}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 2',
      ...settings,
      '',
    ].join('\n'),
  );
  await chmod(directory, 0o755);
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const program = getProgram('pgbouncer');
  const [command = program, ...args] = [...asNobody, program, '--quiet', ini];
  const child = spawn(command, args, { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await awaitPort(port, child);
  return {
    url: `postgresql://${to.username}:any@127.0.0.1:${port}${to.pathname}`,
    async stop() {
      child.kill('SIGKILL');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
