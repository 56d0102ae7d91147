// Prometheus text, and the selectors of a PromQL expression, as far as tests need them.
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function readSamples(text: string): Sample[] {
  return [...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value = '']) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]),
      ),
      value: Number(value),
    }),
  );
}

export interface Selector {
  readonly name: string;
  readonly matchers: readonly {
    readonly label: string;
    readonly matches: (value: string) => boolean;
    readonly text: string;
  }[];
}

const FUNCTIONS =
  /^(?:sum|max|min|rate|increase|time|label_replace|histogram_quantile|min_over_time|by|on|and|or|unless)$/;

/** Every name of a metric in the expression, with its matchers. What is neither that, a function, a label of `by` nor a number makes it throw. */
export function readSelectors(expression: string): { selectors: Selector[]; grouped: string[] } {
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '');
  const plain = expression.replaceAll(/\b(?:by|on) \([^)]*\)|\[\d+[smhd]\]/g, '');
  const selectors = [
    ...plain.matchAll(/([a-zA-Z_:][\w:]*)(?:\{([^}]*)\})?(?=[^\w"]|$)(?![^"]*"(?:[^"]*"[^"]*")*[^"]*$)/g),
  ].flatMap(([, name = '', inner = '']): Selector[] =>
    FUNCTIONS.test(name) ? [] : [{ name, matchers: readMatchers(inner) }],
  );
  return { selectors, grouped };
}

function readMatchers(inner: string): Selector['matchers'] {
  return [...inner.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
    ([text, label = '', operator = '', value = '']) => {
      const equal = operator.endsWith('~')
        ? (given: string) => new RegExp(`^(?:${value})$`).test(given)
        : (given: string) => given === value;
      return { label, text, matches: operator.startsWith('!') ? (given) => !equal(given) : equal };
    },
  );
}
