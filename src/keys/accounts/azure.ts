// Azure OpenAI: its v1 API, and the older one, whose address names a deployment and needs a version.
import type { Protocol } from '../../model-providers/codecs/neutral.ts';

export function findAzureUrlFault({ pathname, searchParams }: URL, protocol: Protocol): string | undefined {
  const names = [...searchParams.keys()];
  if (names.some((name) => name !== 'api-version')) return 'must have no query but api-version';
  const isDeployment = /\/deployments\/[^/]+\/?$/.test(pathname);
  if (isDeployment && protocol === 'responses')
    return 'must not name a deployment: the Responses API is below /openai/v1';
  return names.length > 0 || (!isDeployment && /\/v1\/?$/.test(pathname))
    ? undefined
    : 'must end with /openai/v1, or with /deployments/<name>?api-version=<version>';
}
