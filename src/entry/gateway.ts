// The gateway process: the one public origin.
import { publicUrl } from '../net/addresses.ts';
import { parseNetworks } from '../base/networks.ts';
import { runProcess } from '../process/run-process.ts';
import { createGateway } from '../gateway/create-gateway.ts';
import { SERVICE_GRAPH } from '../gateway/service-graph.ts';
import { observe } from './observe.ts';
import { upstreamAddresses } from '../gateway/upstream-addresses.ts';

const OUTLIVES_MS = 4_000;

await runProcess('gateway', async ({ config, log }) => {
  const { meter, stop: stopObserving } = await observe('gateway', 'gateway', { config, log });
  const gateway = createGateway({
    graph: SERVICE_GRAPH,
    addresses: upstreamAddresses(config),
    publicUrl: publicUrl(config),
    showPrivate: config.SERVICE_GATEWAY_EXPOSURE === 'private' || config.SERVICE_GATEWAY_ALLOW_PRIVATE,
    trustedProxies:
      config.SERVICE_TRUSTED_PROXIES === undefined ? undefined : parseNetworks(config.SERVICE_TRUSTED_PROXIES),
    modelSilenceMs: config.SERVICE_MODEL_SILENCE_SECONDS * 1_000,
    // Longer than the parts behind it, whose last words it passes on.
    graceMs: config.SERVICE_DRAIN_SECONDS * 1_000 + OUTLIVES_MS,
    log,
    meter,
  });
  const port = await gateway.listen(config.SERVICE_GATEWAY_PORT, config.SERVICE_GATEWAY_HOST);
  log.info({ port, publicUrl: publicUrl(config) }, 'listening');
  return async () => {
    await gateway.close();
    await stopObserving();
  };
});
