/** A command that cannot do what the operator requested, with what to do next. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}
