/** A reason for which trying again is no use. */
export class CannotStartPostgres extends Error {
  override readonly name = 'CannotStartPostgres';
}
