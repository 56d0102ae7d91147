// What every part says about itself: its metrics page, and the broker its queues. A part that does not answer says so.
import { brokerUrl, runtimeUrl, webUrl } from '../../../net/addresses.ts';
import { metricsPortOf } from '../../../process/metrics-ports.ts';
import { RUNTIME_ROLES } from '../../../process/process-roles.ts';
import { createFiguresClient } from '../../../broker/client/ask-figures.ts';
import { callPart } from '../doctor/call-part.ts';
import type { Deployment } from '../doctor/deployment.ts';
import { boundMetrics } from './bound-metrics.ts';
import type { Scrub } from './scrub.ts';

const PAGE_MAX_BYTES = 2 * 1024 * 1024;

export async function readMetrics({ config }: Deployment, scrub: Scrub): Promise<Record<string, string>> {
  const own = { web: webUrl(config), 'runtime-api': runtimeUrl(config), broker: brokerUrl(config) };
  const others = ['gateway', 'sandbox', ...RUNTIME_ROLES.filter((role) => role !== 'api')];
  const pages = [
    ...Object.entries(own).map(([part, url]) => ({ part, url })),
    ...others.map((part) => {
      const port = metricsPortOf(part, config);
      return { part, url: port === undefined ? undefined : `http://127.0.0.1:${port}` };
    }),
  ];
  return Object.fromEntries(
    await Promise.all(
      pages.map(async ({ part, url }): Promise<[string, string]> => [part, await readPage(url, scrub)]),
    ),
  );
}

async function readPage(url: string | undefined, scrub: Scrub): Promise<string> {
  if (url === undefined) return '# not served: SERVICE_METRICS_PORT is not set\n';
  const answer = await callPart(`${url}/metrics`, { mostBytes: PAGE_MAX_BYTES });
  if (!answer.answered) return `# did not answer: ${answer.reason}\n`;
  return answer.status === 200 ? boundMetrics(answer.text, scrub) : `# answered ${answer.status}\n`;
}

/** Without what names a call or a tenant. */
export async function readBroker({ config }: Deployment): Promise<unknown> {
  const client = createFiguresClient(brokerUrl(config), config.SERVICE_BROKER_TOKEN);
  try {
    const { leads, replicas, stepsWaiting, leases, groups, truncated } = await client.all();
    return {
      leads,
      replicas,
      stepsWaiting,
      leases,
      truncated,
      groups: groups.map(({ group, streams, waiting }) => ({
        group,
        waiting,
        streams: streams.map(({ credit, held, connectedMs }) => ({ credit, held, connectedMs })),
      })),
    };
  } finally {
    await client.close();
  }
}
