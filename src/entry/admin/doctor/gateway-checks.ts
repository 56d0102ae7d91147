import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../../../net/addresses.ts';
import { isPrivateHost } from '../../../net/private-address.ts';
import { SERVICE_GRAPH } from '../../../gateway/service-graph.ts';
import { upstreamAddresses } from '../../../gateway/upstream-addresses.ts';
import { callPart, requestWithHost } from './call-part.ts';
import { fault, type Finding, ok, warning } from './finding.ts';
import { plain } from './part-checks.ts';
import type { Deployment } from './deployment.ts';

export function checkPublicUrl({ config, publicUrl, exposed, refused }: Deployment): Finding[] {
  if (refused.has('SERVICE_PUBLIC_URL')) return [];
  const url = new URL(publicUrl);
  const why = 'Links, cookies, OAuth and the webhook are all built from it.';
  const findings: Finding[] = [];
  if (url.pathname !== '/' || url.search !== '')
    findings.push(
      fault(
        `SERVICE_PUBLIC_URL has a path: ${url.pathname}`,
        'The gateway serves a whole origin; links below a path lead nowhere.',
        `Set SERVICE_PUBLIC_URL=${url.origin}`,
      ),
    );
  if (exposed && url.protocol === 'http:')
    findings.push(
      fault(
        `SERVICE_PUBLIC_URL is not https: ${plain(publicUrl)}`,
        'Sessions and tokens cross the network in the clear, and OAuth callbacks are refused.',
        `Put TLS in front of the gateway and set SERVICE_PUBLIC_URL=https://${url.hostname}`,
      ),
    );
  if (exposed && isPrivateHost(url.hostname))
    findings.push(
      fault(
        `SERVICE_PUBLIC_URL names this machine only: ${plain(publicUrl)}`,
        why,
        'Set SERVICE_PUBLIC_URL to the address at which people reach the service, for example https://service.example.com',
      ),
    );
  const isReachable = exposed || !isLoopbackHost(config.SERVICE_GATEWAY_HOST ?? '');
  if (isReachable && config.SERVICE_ALLOW_PRIVATE_URLS)
    findings.push(
      warning(
        'SERVICE_ALLOW_PRIVATE_URLS is on, and others can reach this service',
        'Anyone who signs up can point a Models account at an address inside your network.',
        'Set SERVICE_ALLOW_PRIVATE_URLS=0; for this machine alone: SERVICE_GATEWAY_HOST=localhost.',
      ),
    );
  return findings.length > 0 ? findings : [ok(`the public URL is ${plain(publicUrl)}`)];
}

export async function checkGateway({ config }: Deployment): Promise<Finding[]> {
  const url = `http://127.0.0.1:${config.SERVICE_GATEWAY_PORT}`;
  const answer = await callPart(`${url}/runtime/healthz`);
  const why = 'Everything is reached through it.';
  if (!answer.answered)
    return [
      fault(
        `the gateway cannot be reached at ${url}: ${answer.reason}`,
        why,
        'Start it (npm start runs every part; alone: npm run gateway), or correct SERVICE_GATEWAY_PORT; if it runs on another machine, look there.',
      ),
    ];
  if (answer.status === 502 || answer.status === 504)
    return [
      fault(
        'the gateway answers, but the runtime behind it does not',
        'Connections, tools, receipts and runs cannot be reached.',
        'Start the runtime, or correct SERVICE_RUNTIME_URL in the environment of the gateway.',
      ),
    ];
  if (answer.status !== 200 || !answer.text.includes('"ok":true'))
    return [
      fault(
        `${url}/runtime/healthz answers ${answer.status}, not as the gateway does`,
        'Another program has its port.',
        'Stop the other program, or set SERVICE_GATEWAY_PORT to a free port.',
      ),
    ];
  return [ok('the gateway answers, and the runtime through it')];
}

/** Requests each service of the graph through the gateway: any response of its upstream counts. */
export async function checkGraph({ config }: Deployment): Promise<Finding[]> {
  const addresses = upstreamAddresses(config);
  const origin = `http://127.0.0.1:${config.SERVICE_GATEWAY_PORT}`;
  const asked = await Promise.all(
    SERVICE_GRAPH.filter(({ upstream, private: hidden }) => !hidden && addresses[upstream] !== undefined).map(
      async ({ name, prefix, upstream }) => {
        const answer = await callPart(`${origin}${prefix}`);
        return { name, prefix, upstream, down: !answer.answered || answer.status === 502 || answer.status === 504 };
      },
    ),
  );
  const down = asked.filter((one) => one.down);
  if (down.length === 0) return [ok(`${asked.length} services of the graph answer through the gateway`)];
  return down.map(({ name, prefix, upstream }) =>
    fault(
      `${prefix} leads nowhere: the service ${name} does not answer`,
      'The gateway answers 502 for it.',
      `Start its upstream (${upstream}) and set its address in the environment of the gateway: ${VARIABLES[upstream]}.`,
    ),
  );
}

const VARIABLES = {
  web: 'SERVICE_WEB_URL',
  runtime: 'SERVICE_RUNTIME_URL',
  broker: 'SERVICE_BROKER_URL',
  sandbox: 'SERVICE_SANDBOX_URL',
  integrations: 'SERVICE_INTEGRATIONS_URL',
  'integrations-connect': 'SERVICE_INTEGRATIONS_CONNECT_URL',
} as const;

export async function checkExposure({ config, exposed }: Deployment): Promise<Finding[]> {
  const open = [
    config.SERVICE_GATEWAY_ALLOW_PRIVATE ? 'SERVICE_GATEWAY_ALLOW_PRIVATE=1' : '',
    config.SERVICE_GATEWAY_EXPOSURE === 'private' ? 'SERVICE_GATEWAY_EXPOSURE=private' : '',
  ].filter((text) => text !== '');
  if (open.length === 0) return checkForgedHost(config.SERVICE_GATEWAY_PORT);
  if (!exposed) return [ok('private services are not exposed')];
  return [
    fault(
      `${open.join(' and ')} on a public origin`,
      'Metrics, the broker and the sandbox controller are open to everyone.',
      `Unset ${open.map((one) => one.split('=')[0]).join(' and ')}, and start the gateway again.`,
    ),
  ];
}

/**
 * As a stranger on the network would: to an address of this machine that others can reach, with a host name of this
 * machine only.
 */
async function checkForgedHost(port: number): Promise<Finding[]> {
  const addresses = Object.values(networkInterfaces()).flatMap((ones) =>
    (ones ?? []).filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  );
  const answers = await Promise.all(
    addresses.map(async (address) => ({
      address,
      status: await requestWithHost({ address, port }, 'localhost', '/metrics'),
    })),
  );
  const shown = answers.filter(({ status }) => status === 200).map(({ address }) => address);
  if (shown.length === 0) return [ok('private services are not exposed')];
  return [
    fault(
      `the gateway shows private services on ${shown.join(' and ')} to anyone who sends Host: localhost`,
      'Metrics, the broker and the sandbox controller are open to everyone who can connect.',
      'Start the gateway of this build; whatever else answers on its port, or stands in front of it on this machine, must pass x-forwarded-for on. Or set SERVICE_GATEWAY_HOST=localhost.',
    ),
  ];
}

/** Networks larger than any that one operator has: a tenth of all addresses, or a provider's whole allocation. */
const WIDEST = { ipv4: 8, ipv6: 20 };

export function checkProxies({ config }: Deployment): Finding[] {
  const { SERVICE_TRUSTED_PROXIES: proxies } = config;
  if (proxies === undefined) return [ok('no proxy is trusted: the connecting address is the client')];
  const wide = proxies
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => {
      const [network = '', bits] = entry.split('/');
      return bits !== undefined && Number(bits) < (network.includes(':') ? WIDEST.ipv6 : WIDEST.ipv4);
    });
  if (wide.length === 0) return [ok('the trusted proxies are named')];
  return [
    fault(
      `SERVICE_TRUSTED_PROXIES trusts everyone in ${wide.join(' and ')}`,
      'Clients write their own address into x-forwarded-for: limits per address do not hold, logs are wrong, and one that writes a loopback address may reach private services.',
      'Set SERVICE_TRUSTED_PROXIES to the addresses of your proxies, for example 127.0.0.1 or 10.1.2.0/24.',
    ),
  ];
}

/** The public URL, as people reach it. Only if it is not the gateway's own port on this machine. */
export async function checkPublicWay({ publicUrl, exposed }: Deployment): Promise<Finding[]> {
  if (!exposed || isPrivateHost(new URL(publicUrl).hostname)) return [];
  const answer = await callPart(`${publicUrl}/runtime/healthz`);
  const why = 'People and the integration provider use it.';
  if (!answer.answered)
    return [
      fault(
        `${plain(publicUrl)} cannot be reached from here: ${answer.reason}`,
        why,
        'Check the DNS record, the certificate and the proxy in front of the gateway. (From inside some networks a public address cannot be reached: then check from outside.)',
      ),
    ];
  if (answer.status !== 200 || !answer.text.includes('"ok":true'))
    return [
      fault(
        `${plain(publicUrl)}/runtime/healthz answers ${answer.status}`,
        why,
        'Let the proxy in front send the whole origin to the gateway, unchanged.',
      ),
    ];
  const metrics = await callPart(`${publicUrl}/metrics`);
  if (metrics.answered && metrics.status === 200)
    return [
      fault(
        `${plain(publicUrl)}/metrics is open to everyone`,
        'Private services must answer 404 from outside.',
        'Let the proxy in front pass the Host header on, and unset SERVICE_GATEWAY_ALLOW_PRIVATE and SERVICE_GATEWAY_EXPOSURE.',
      ),
    ];
  return [ok(`${plain(publicUrl)} leads to this service`)];
}
