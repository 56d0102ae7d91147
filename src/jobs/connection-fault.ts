/** PostgreSQL's class 57P and 08 codes, and errors without any code of the server's, are about the connection. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'AppError' || error.name === 'ImpossibleReceipt') return false;
  const code = 'code' in error ? String(error.code) : '';
  return !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P') || code.startsWith('08');
}
