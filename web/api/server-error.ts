/** A refusal or failure that the server answered with. The typed client throws its own error, which has the same fields. */
export class ServerError extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: unknown;

  constructor(code: string, status: number, data: unknown) {
    super(code);
    this.name = 'ServerError';
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** By its fields, so that pages that only need to know are loaded without the typed client. */
export function isServerError(error: unknown): error is Pick<ServerError, 'code' | 'status' | 'data'> {
  return error instanceof Error && 'status' in error && 'code' in error && 'data' in error;
}
