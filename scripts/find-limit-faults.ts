// Finds limits that are in no row: a refusal for a limit, or the making of a counter, in a file that no row names; and
// rows whose file is gone or limits nothing.
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface LimitRules {
  /** Codes of refusals for a limit. */
  readonly codes: readonly string[];
  /** Functions that make a limit. */
  readonly makers: readonly string[];
  /** Files that may. */
  readonly files: readonly string[];
  /** Files that a row names for another reason; they must exist. */
  readonly named: readonly string[];
}

export function findLimitFaults(
  files: readonly SourceFile[],
  { codes, makers, files: allowed, named }: LimitRules,
): string[] {
  const refusal = new RegExp(String.raw`new AppError\(\s*['"](${codes.join('|')})['"]`, 'g');
  const maker = new RegExp(String.raw`\b(${makers.join('|')})\(`, 'g');
  const limiting = new Set<string>();
  const faults = files.flatMap(({ path, text }) => {
    const found = [...text.matchAll(refusal), ...text.matchAll(maker)].map(([, name]) => String(name));
    const makes = found.filter((name) => !text.includes(`export function ${name}(`));
    if (makes.length > 0) limiting.add(path);
    return allowed.includes(path)
      ? []
      : [...new Set(makes)].map((name) => `${path}: ${name} is a limit that no row of scripts/limits.ts names`);
  });
  const paths = new Set(files.map(({ path }) => path));
  return [
    ...faults,
    ...[...new Set([...allowed, ...named])]
      .filter((path) => !paths.has(path))
      .map((path) => `scripts/limits.ts: ${path} does not exist`),
    ...allowed
      .filter((path) => paths.has(path) && !limiting.has(path) && !named.includes(path))
      .map((path) => `scripts/limits.ts: ${path} limits nothing`),
  ];
}
