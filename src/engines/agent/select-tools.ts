// Which of the workspace's tools a run is offered: those of the capabilities that it names, or all. Tools are named after
// their connection, `<provider>__<tool>` or `<provider>--<name>__<tool>`; a name that was too long is cut and has a hash
// before the tool.

export function selectTools(names: readonly string[], capabilities: readonly string[]): string[] {
  if (capabilities.length === 0) return [...names];
  return names.filter((name) => capabilities.some((key) => isOf(key, name)));
}

function isOf(capability: string, toolName: string): boolean {
  const [address = ''] = toolName.split(/__(?=[a-z][a-z0-9-]*$)/);
  const dot = capability.indexOf('.');
  const plain = dot < 0 ? capability : `${capability.slice(0, dot)}--${capability.slice(dot + 1)}`;
  if (address === plain) return true;
  const cut = /^(.+)-[0-9a-f]{8}$/.exec(address)?.[1];
  if (cut === undefined || dot < 0) return false;
  const safe = plain.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return safe.startsWith(cut) && cut.length > dot + '--'.length;
}
