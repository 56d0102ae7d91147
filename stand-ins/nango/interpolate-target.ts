// What a real provider does to the address of a call: it fills in templates with the connection's credentials, wherever
// the text comes from. The service must never let such text through; this makes it visible in tests if it does.
import type { Credentials } from './local-connections.ts';

export function interpolateTarget(target: string, credentials: Credentials): string {
  const renamed = target.replaceAll('connectionConfig', 'connection_config');
  if (!renamed.includes('${')) return renamed;
  const filled = (text: string): string =>
    text.replaceAll(/\$\{([^{}]*)\}/g, (whole, name: string) => valueOf(credentials, name) ?? whole);
  const [first = '', second] = renamed.split('||');
  return second === undefined || !filled(first).includes('${') ? filled(first) : filled(second);
}

function valueOf(credentials: Credentials, name: string): string | undefined {
  const value = (credentials as Readonly<Record<string, unknown>>)[name];
  return Object.hasOwn(credentials, name) && typeof value === 'string' ? value : undefined;
}
