// An error as it stands in the log: what it is, where it came from, and nothing that somebody wrote. Errors of the
// database carry rows and values in fields of their own, which are left out; texts that are known to quote a value
// lose what they quote.

export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code?: string | number;
  readonly cause?: DescribedError;
  readonly errors?: readonly DescribedError[];
}

const DEPTH = 5;
const MOST_OF_MANY = 5;
/** SQLSTATE class 22: a value does not fit, and the text says which. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|"[^"]*$/gs;

export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no error was thrown', stack: undefined };
  const { code, cause } = error as Error & { code?: unknown };
  const message = quotesValues(error, code) ? error.message.replace(QUOTED, '…') : error.message;
  const many =
    error instanceof AggregateError && depth < DEPTH
      ? error.errors.slice(0, MOST_OF_MANY).map((one) => describeError(one, depth + 1))
      : [];
  const because = cause !== undefined && depth < DEPTH ? describeError(cause, depth + 1) : undefined;
  return {
    type: error.name,
    // With those of its causes: the line is often read in a short form that has nothing else of them.
    message: because && because.message !== '' ? `${message}: ${because.message}` : message,
    stack: message === error.message ? error.stack : error.stack?.replace(error.message, () => message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(because ? { cause: because } : {}),
    ...(many.length > 0 ? { errors: many } : {}),
  };
}

function quotesValues(error: Error, code: unknown): boolean {
  return error instanceof SyntaxError || (typeof code === 'string' && DATA_EXCEPTION.test(code));
}
