// The sandbox controller: the only place where commands of a run are executed. If no driver is safe it exits with the
// reason, so that an operator who starts it alone sees it at once; under npm start it stays up and refuses each run
// with that reason, because everything else works without runs.
import { join } from 'node:path';
import { dataDirectory, sandboxUrl } from '../net/addresses.ts';
import { ConfigError } from '../base/config.ts';
import { describeLimits, findWeakLimits } from '../contract/sandbox-limits.ts';
import { runProcess } from '../process/run-process.ts';
import { listenForCallers } from '../http/sandbox/listen.ts';
import { sandboxListener } from '../http/sandbox/sandbox-listener.ts';
import { chooseDriver } from '../sandbox/choose-driver.ts';
import { createController } from '../sandbox/controller.ts';
import { openDrivers } from '../sandbox/open-drivers.ts';
import { openStoppedSandboxes } from '../sandbox/stopped-sandboxes.ts';
import { observe } from './observe.ts';

await runProcess('sandbox', async ({ config, log }) => {
  const chosen = await chooseDriver(openDrivers(config), config.SERVICE_SANDBOX_ALLOW_WEAK);
  const address = { url: sandboxUrl(config), token: config.SERVICE_SANDBOX_TOKEN, host: config.SERVICE_LISTEN_HOST };
  if (!chosen.ok) {
    const { reason, fix } = chosen;
    if (config.SERVICE_SANDBOX_WHEN_UNSAFE === 'exit')
      throw new ConfigError(`runs cannot be executed safely here: ${reason}. To fix it: ${fix}.`);
    log.warn({ reason, fix }, 'runs are refused: no sandbox is safe here');
    const { meter, stop } = await observe('sandbox', 'sandbox', { config, log });
    const { close } = await listenForCallers(
      sandboxListener({ health: () => ({ ok: false, reason, fix }), token: address.token, log, meter }),
      address,
    );
    return async () => {
      await close();
      await stop();
    };
  }

  const { driver, limits } = chosen;
  const { meter, stop: stopObserving } = await observe('sandbox', 'sandbox', { config, log });
  const stopped = await openStoppedSandboxes(join(dataDirectory(config), 'stopped-sandboxes.json'), log);
  const controller = createController({
    driver,
    limits,
    maxSandboxes: config.SERVICE_SANDBOX_MAX,
    stopped: stopped.ids,
    log,
  });
  meter.read('service_sandboxes_open', () => [{ value: controller.size }]);
  meter.read('service_sandboxes_max', () => [{ value: config.SERVICE_SANDBOX_MAX }]);
  const health = () => ({ ok: true, driver: driver.name, limits, sandboxes: controller.size }) as const;
  const { close } = await listenForCallers(
    sandboxListener({ controller, health, token: address.token, log, meter }),
    address,
  ).catch(async (error: unknown) => {
    await driver.close();
    throw error;
  });
  log.info(
    { driver: driver.name, limits: describeLimits(limits), weak: findWeakLimits(limits) },
    'sandbox controller is listening',
  );
  return async () => {
    const closing = close();
    await stopped.add(await controller.close());
    await closing;
    await driver.close();
    await stopObserving();
  };
});
