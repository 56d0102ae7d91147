/** A failure that trying again will not fix. */
export class CannotStartPostgres extends Error {
  override readonly name = 'CannotStartPostgres';
}
