// Addresses that follow from the configuration: each part's URL defaults to its own port on the loopback.
import { resolve } from 'node:path';
import type { Config } from '../base/config.ts';

export function dataDirectory(config: Config): string {
  return resolve(config.SERVICE_DATA_DIR ?? config.DATA_DIR);
}

export function publicUrl(config: Config): string {
  return config.SERVICE_PUBLIC_URL ?? `http://localhost:${config.SERVICE_GATEWAY_PORT}`;
}

export function webUrl(config: Config): string {
  return config.SERVICE_WEB_URL ?? `http://127.0.0.1:${config.SERVICE_WEB_PORT}`;
}

export function runtimeUrl(config: Config): string {
  return config.SERVICE_RUNTIME_URL ?? `http://127.0.0.1:${config.SERVICE_RUNTIME_PORT}`;
}

export function brokerUrl(config: Config): string {
  return config.SERVICE_BROKER_URL ?? `http://127.0.0.1:${config.SERVICE_BROKER_PORT}`;
}

export function sandboxUrl(config: Config): string {
  return config.SERVICE_SANDBOX_URL ?? `unix:${dataDirectory(config)}/sandbox.sock`;
}

/** Whether only this machine can connect to the address. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host.trim());
}
