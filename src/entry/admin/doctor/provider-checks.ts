// Model providers, the key-value store and the trace collector: the services that are called over the network.
import { Redis } from 'ioredis';
import { KEY_VARIABLES, type ProviderId, providerIds, PROVIDERS } from '../../../model-providers/providers.ts';
import { validateKey } from '../../../model-providers/validate-key.ts';
import { callPart } from './call-part.ts';
import { fault, type Finding, notice, ok, warning } from './finding.ts';
import { plain } from './part-checks.ts';
import type { Deployment } from './deployment.ts';

const KV_TIMEOUT_MS = 3_000;

export async function checkModelKeys({ config, exposed }: Deployment): Promise<Finding[]> {
  if (config.SERVICE_DEMO_PROVIDERS)
    return [
      (exposed ? warning : notice)(
        'both model providers are the demo ones',
        'Answers are made up.',
        `Set ${KEY_VARIABLES.join(' or ')}, and start again.`,
      ),
    ];
  const given = providerIds().filter((provider) => config[PROVIDERS[provider].keyVariable] !== undefined);
  if (given.length === 0)
    return [
      notice(
        'the deployment has no provider key of its own',
        config.CHAT_REQUIRE_BYOK
          ? 'Strict mode is on: every organization brings its own key.'
          : 'Platform credit cannot be used: a turn needs a key of the organization or a Models account.',
        config.CHAT_REQUIRE_BYOK ? undefined : `Set ${KEY_VARIABLES.join(' or ')}.`,
      ),
    ];
  return Promise.all(
    given.map((provider) =>
      checkKey(provider, config[PROVIDERS[provider].keyVariable] ?? '', config[PROVIDERS[provider].urlVariable]),
    ),
  );
}

async function checkKey(provider: ProviderId, key: string, url: string): Promise<Finding> {
  const { name, keyPrefix, keyVariable: variable, urlVariable } = PROVIDERS[provider];
  const why = `Turns on platform credit that go to ${name} fail.`;
  const owner = Object.values(PROVIDERS).find(
    (row) => row.keyPrefix.length > keyPrefix.length && key.startsWith(row.keyPrefix),
  );
  if (owner) return fault(`${variable} holds a key of ${owner.name}`, why, `Move it to ${owner.keyVariable}.`);
  switch (await validateKey({ provider, url, key, timeoutMs: 5_000 })) {
    case 'valid':
      return ok(`${name} accepts ${variable}`);
    case 'rejected':
      return fault(
        `${name} does not accept ${variable}`,
        why,
        `Create a new key at ${name}${key.startsWith(keyPrefix) ? '' : ` (it begins with ${keyPrefix})`}, set ${variable} and start the web server and the workers again.`,
      );
    case 'unavailable':
      return warning(
        `${name} did not say whether ${variable} is valid`,
        'Its response was inconclusive.',
        `Try again; check ${urlVariable}, which is the origin without /v1.`,
      );
    case 'unreachable':
      return fault(
        `${name} cannot be reached at ${plain(url)}`,
        why,
        `Let this machine reach it, or correct ${urlVariable}.`,
      );
  }
}

export async function checkKv({ config }: Deployment): Promise<Finding[]> {
  const url = config.SERVICE_KV_URL;
  if (url === undefined) return [ok('chat requests are counted in PostgreSQL')];
  const redis = new Redis(url.replace(/^valkey/, 'redis'), {
    lazyConnect: true,
    connectTimeout: KV_TIMEOUT_MS,
    commandTimeout: KV_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let problem = '';
  redis.on('error', (error: NodeJS.ErrnoException) => (problem ||= error.code ?? error.message));
  const fix = 'Start it, or correct SERVICE_KV_URL; or unset it to count in PostgreSQL.';
  const why = 'Chat requests are counted in PostgreSQL instead, which is slower.';
  try {
    await redis.connect();
    await redis.ping();
    return [ok('the key-value store answers')];
  } catch (error) {
    const text = `${problem} ${(error as Error).message}`;
    if (/NOAUTH|WRONGPASS|invalid username-password/i.test(text))
      return [
        fault(
          'the key-value store refuses the password in SERVICE_KV_URL',
          why,
          'Put the password into SERVICE_KV_URL: redis://:<password>@host:port',
        ),
      ];
    return [
      fault(
        `the key-value store cannot be reached${/ECONNREFUSED/.test(text) ? ': nothing listens there' : ''}`,
        why,
        fix,
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

export async function checkTraces({ config }: Deployment): Promise<Finding[]> {
  const url = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (url === undefined) return [];
  const answer = await callPart(url);
  return [
    answer.answered
      ? ok('the trace collector answers')
      : warning(
          `the trace collector cannot be reached at ${plain(url)}: ${answer.reason}`,
          'Traces are dropped; nothing else is affected.',
          'Start it, or correct OTEL_EXPORTER_OTLP_ENDPOINT.',
        ),
  ];
}
