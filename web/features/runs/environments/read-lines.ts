// What people write into the fields of an environment, a thing per line, and back.

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** `NAME=value` per line; undefined for what is no such line. Only the name is trimmed: a value may begin with a space. */
export function readAssignments(text: string): { values: Record<string, string> } | { wrong: string } {
  const values: Record<string, string> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { wrong: line.trim() };
    values[name] = value;
  }
  return { values };
}

export function writeAssignments(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
