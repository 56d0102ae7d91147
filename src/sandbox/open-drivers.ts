import { dataDirectory } from '../net/addresses.ts';
import { type Config, processEnvironment } from '../base/config.ts';
import { bubblewrapDriver } from './bubblewrap/bubblewrap-driver.ts';
import { dockerDriver } from './docker/docker-driver.ts';
import { DRIVERS, type DriverName, type SandboxDriver } from './driver.ts';

/** The drivers to try, in order. */
export function openDrivers(config: Config): SandboxDriver[] {
  const directory = dataDirectory(config);
  const containers = {
    image: config.SERVICE_SANDBOX_IMAGE,
    dataDirectory: directory,
    environment: processEnvironment(),
  };
  const make = {
    bubblewrap: () =>
      bubblewrapDriver({
        dataDirectory: directory,
        cgroup: config.SERVICE_SANDBOX_CGROUP,
        uidBase: config.SERVICE_SANDBOX_UID_BASE,
        bwrap: config.SERVICE_SANDBOX_BWRAP,
      }),
    gvisor: () => dockerDriver({ ...containers, name: 'gvisor', runtime: 'runsc' }),
    docker: () => dockerDriver({ ...containers, name: 'docker' }),
  } satisfies Record<DriverName, () => SandboxDriver>;
  const wanted = config.SERVICE_SANDBOX_DRIVER;
  return (wanted === 'auto' ? DRIVERS : [wanted]).map((name) => make[name]());
}
