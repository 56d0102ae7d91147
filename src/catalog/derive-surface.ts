import type { Manifest, ToolSurface } from './connector-types.ts';

/** Proxy tools take precedence: a cloud connector with a command and tools is typed-proxy. */
export function deriveSurface(manifest: Pick<Manifest, 'tools' | 'command' | 'mcp' | 'resource'>): ToolSurface {
  if (manifest.tools) return 'typed-proxy';
  if (manifest.command) return 'command-auth';
  if (manifest.mcp) return 'provider-mcp';
  if (manifest.resource) return 'resource-aware-get';
  return 'compatibility-read';
}
