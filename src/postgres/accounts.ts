// The two roles of the embedded cluster. The service uses the one that owns its database and has no rights on the
// server; the superuser is for the launcher, and for operators who look up its password.

export interface DatabaseAccount {
  readonly user: string;
  readonly password: string;
}

export const APPLICATION_USER = 'service';
export const ADMIN_USER = 'service_admin';
/** Where the service keeps its schema. */
export const DATABASE = 'postgres';

export function urlOf(port: number, { user, password }: DatabaseAccount, database = DATABASE): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}
