// Finds tests and benches that start a role from its sources. A bundle can differ from them: in what a dynamic import of
// a CommonJS package gives, in where a file is found. So every process that a test starts is the one that is shipped,
// dist/<name>.js, by `builtEntry` or by the documented command.
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** What makes a program a role of the service; programs call it, and tests start programs. */
const ROLE_FUNCTIONS = ['runProcess', 'stackMain'];

export function findSourceStarts(files: readonly TestFile[], roles: readonly string[]): string[] {
  const entry = new RegExp(String.raw`['"\`/](?:(?:src/)?entry/(?:${roles.join('|')})|cli/main)\.ts['"\`]`);
  const parts = new RegExp(
    String.raw`['"]entry['"]\s*,\s*['"\`](?:${roles.join('|')})\.ts['"\`]|['"]cli['"]\s*,\s*['"\`]main\.ts['"\`]`,
  );
  return files.flatMap(({ path, text }) => {
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
    const named = ROLE_FUNCTIONS.filter((name) => new RegExp(String.raw`\b${name}\(`).test(code)).map(
      (name) => `${path}: calls ${name}, which makes it a role that runs from sources`,
    );
    const started =
      entry.test(code) || parts.test(code)
        ? [`${path}: names the source of a role; start what is built, with builtEntry()`]
        : [];
    return [...named, ...started];
  });
}
