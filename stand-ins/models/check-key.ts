// A demo provider has no accounts. It accepts only keys marked as demo keys, so a real key sent here by mistake is
// refused rather than used, and an invalid one is refused as by a real provider.
import type { IncomingHttpHeaders } from 'node:http';
import type { Provider } from './demo-request.ts';
import { Refusal } from './refusal.ts';

export const DEMO_KEYS = {
  openai: {
    accepts: (key) =>
      key.startsWith('demo-openai-') || (key.startsWith('sk-') && !key.startsWith('sk-ant-') && key.includes('demo')),
    form: 'demo-openai-… or sk-…demo…',
  },
  anthropic: {
    accepts: (key) => key.startsWith('demo-anthropic-') || (key.startsWith('sk-ant-') && key.includes('demo')),
    form: 'demo-anthropic-… or sk-ant-…demo…',
  },
} as const satisfies Record<Provider, { accepts: (key: string) => boolean; form: string }>;

export function checkKey(provider: Provider, headers: IncomingHttpHeaders): void {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  // Anthropic accepts a key in either header; its client can send it as a bearer token.
  const key = provider === 'anthropic' ? header(headers['x-api-key']) || bearer : bearer;
  if (!DEMO_KEYS[provider].accepts(key)) {
    const what =
      key === ''
        ? 'No API key was given'
        : provider === 'anthropic'
          ? 'invalid x-api-key'
          : 'Incorrect API key provided';
    throw new Refusal(
      'unknown_key',
      `${what}. This is a demo provider; it takes keys of the form ${DEMO_KEYS[provider].form}.`,
    );
  }
}

function header(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
