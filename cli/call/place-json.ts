// Only `call` has a --json with an optional value: the arguments of the tool. Commander takes the next word as that
// value, so a plain --json before the connection would swallow it; it is moved to the end.

/** The name of a connection or tool; arguments start with a brace or an @, or are a single hyphen. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u;

export function placeJson(args: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const at = args.indexOf('--json');
  if (args[0] !== 'call' || at < 0 || at + 1 >= end || !NAME.test(args[at + 1] ?? '')) return args;
  return [...args.slice(0, at), ...args.slice(at + 1, end), '--json', ...args.slice(end)];
}
