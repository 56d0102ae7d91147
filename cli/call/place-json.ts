// `call` alone has a --json that may carry a value: the arguments of the tool. Commander would take whatever follows
// for that value, so a plain --json before the connection would swallow it; it is moved behind everything else.

/** What names a connection or a tool; arguments begin with a brace or an @, or are a lone hyphen. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u;

export function placeJson(args: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const at = args.indexOf('--json');
  if (args[0] !== 'call' || at < 0 || at + 1 >= end || !NAME.test(args[at + 1] ?? '')) return args;
  return [...args.slice(0, at), ...args.slice(at + 1, end), '--json', ...args.slice(end)];
}
