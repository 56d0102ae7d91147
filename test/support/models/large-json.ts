// Which JSON texts over a megabyte this process has parsed or written, in files of the service. Threads do not count.
const LARGE = 1024 * 1024;

export interface LargeJson {
  /** Where, with the length of the text. */
  readonly seen: readonly string[];
  stop(): void;
}

export function watchLargeJson(): LargeJson {
  const seen: string[] = [];
  const { parse, stringify } = JSON;
  const note = (does: string, { length }: { length: number }): void => {
    // The nearest file of ours: the provider that tests talk to runs in this process too.
    const caller = /\/((?:src|test|stand-ins)\/[^?:)]+)/.exec(
      (new Error().stack ?? '').split('\n').slice(3).join('\n'),
    )?.[1];
    if (caller?.startsWith('src/') && !caller.includes('.test.')) seen.push(`${does} of ${length} in ${caller}`);
  };
  JSON.parse = ((text: string, ...rest: []) => {
    if (text.length > LARGE) note('parse', text);
    return parse(text, ...rest) as unknown;
  }) as typeof parse;
  JSON.stringify = ((value: unknown, ...rest: []) => {
    const text = stringify(value, ...rest);
    if (text?.length > LARGE) note('stringify', text);
    return text;
  }) as typeof stringify;
  return {
    seen,
    stop: () => Object.assign(JSON, { parse, stringify }),
  };
}
