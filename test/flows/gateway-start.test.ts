// What operators read of a gateway that starts before everything behind it, as a machine that boots does.
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { builtEntry, COMPILE_CACHE } from '../support/built-entry.ts';
import { freePort } from '../support/free-port.ts';
import { ask } from '../support/http/gateway-stand.ts';
import { watchProcess } from '../support/watch-process.ts';

const PROBES = 20;

it('says one line until it listens, and one for each part that is not there yet, without a stack', async () => {
  const [port, web, runtime] = await Promise.all([freePort(), freePort(), freePort()]);
  const { child, lines, output, ended, find } = watchProcess(
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', builtEntry('gateway')], {
      // The log level is the default.
      env: {
        PATH: process.env['PATH'],
        ...COMPILE_CACHE,
        SERVICE_GATEWAY_PORT: String(port),
        SERVICE_WEB_URL: `http://127.0.0.1:${web}`,
        SERVICE_RUNTIME_URL: `http://127.0.0.1:${runtime}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const said = (): { level: string; msg: string; code?: string }[] => lines.map((line) => JSON.parse(line));
  await find(() => lines.find((line) => line.includes('"msg":"listening"')), 'listening');
  expect(said()).toEqual([expect.objectContaining({ level: 'info', msg: 'listening', port })]);

  for (let probe = 0; probe < PROBES; probe++)
    for (const path of ['/runtime/healthz', '/v1/models', '/']) expect((await ask(port, path)).status).toBe(502);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  const [, ...later] = said();
  const warnings = later.filter(({ level }) => level !== 'info');
  expect(warnings).toHaveLength(2);
  for (const { msg, code } of warnings) expect([msg, code]).toEqual(['upstream does not listen yet', 'ECONNREFUSED']);
  expect(later.filter(({ level }) => level === 'info').map(({ msg }) => msg)).toEqual(['stopping']);
  expect(output.stdout).not.toContain('"stack"');
  expect(output.stderr).toBe('');
});
