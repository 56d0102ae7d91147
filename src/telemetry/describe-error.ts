// An error as it is logged: its type, code, message and stack, but no user data. Database errors carry rows and values
// in extra fields, which are dropped; values quoted in known messages are removed.

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
/** SQLSTATE class 22, data exception: the message quotes the value. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|"[^"]*$/gs;

export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value other than an error was thrown', stack: undefined };
  const { code, cause } = error as Error & { code?: unknown };
  const message = quotesValues(error, code) ? error.message.replace(QUOTED, '…') : error.message;
  const many =
    error instanceof AggregateError && depth < DEPTH
      ? error.errors.slice(0, MOST_OF_MANY).map((one) => describeError(one, depth + 1))
      : [];
  const because = cause !== undefined && depth < DEPTH ? describeError(cause, depth + 1) : undefined;
  return {
    type: error.name,
    // Includes the causes: short log views show only this field.
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
