// The demo model providers, which npm start uses as long as no key of a real provider is set. They listen only on
// loopback, because they require no secret key.
import { systemClock } from '../base/clock.ts';
import { buildInfo } from '../process/build-info.ts';
import { runProcess } from '../process/run-process.ts';
import { createDemoProviders } from '../../stand-ins/models/create-demo-providers.ts';
import { serve } from '../http/shell/serve.ts';

await runProcess('demo-providers', async ({ config, log }) => {
  const serving = await serve(createDemoProviders({ clock: systemClock, log, running: buildInfo() }), {
    port: config.SERVICE_DEMO_PROVIDERS_PORT,
  });
  log.info({ port: serving.port }, 'demo model providers are listening');
  return serving.close;
});
