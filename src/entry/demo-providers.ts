// The demo model providers: what npm start uses for models while it is given no key of a real provider. They listen
// on the loopback only, since they ask for no key that is a secret.
import { systemClock } from '../base/clock.ts';
import { runProcess } from '../base/run-process.ts';
import { createDemoProviders } from '../../stand-ins/models/create-demo-providers.ts';
import { serve } from '../http/shell/serve.ts';

await runProcess('demo-providers', async ({ config, log }) => {
  const serving = await serve(createDemoProviders({ clock: systemClock, log }), {
    port: config.SERVICE_DEMO_PROVIDERS_PORT,
  });
  log.info({ port: serving.port }, 'demo model providers listen');
  return serving.close;
});
