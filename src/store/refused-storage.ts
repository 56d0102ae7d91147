// What a server answers that is up and does not let us in: no wait and no restart changes it, only the operator does.
// The message of the driver is not repeated: it may contain the address.
import pg from 'pg';

export interface Refusal {
  readonly what: string;
  readonly fix: string;
}

/** By SQLSTATE. */
export const REFUSED_STORAGE: Readonly<Record<string, Refusal>> = {
  '28P01': {
    what: 'PostgreSQL refuses the password in SERVICE_UPSTREAM_DB',
    fix: "Put the role's password into SERVICE_UPSTREAM_DB (percent-encoded), or set it: alter role <role> password '…'",
  },
  '28000': {
    what: 'PostgreSQL refuses the role in SERVICE_UPSTREAM_DB',
    fix: 'Create the role (create role <role> login), or allow it in pg_hba.conf.',
  },
  '3D000': {
    what: 'the database in SERVICE_UPSTREAM_DB does not exist',
    fix: 'Create it: create database <name>; or correct the name in SERVICE_UPSTREAM_DB.',
  },
  '42501': {
    what: 'the role in SERVICE_UPSTREAM_DB may not connect to the database',
    fix: 'Let it: grant connect on database <name> to <role>; or correct SERVICE_UPSTREAM_DB.',
  },
};

const NO_PASSWORD: Refusal = {
  what: 'PostgreSQL asks for a password, and SERVICE_UPSTREAM_DB has none',
  fix: 'Put it into the URL: postgresql://user:password@host:port/database',
};
const NO_TLS: Refusal = {
  what: 'SERVICE_UPSTREAM_DB asks for TLS, which the server does not support',
  fix: 'Turn TLS on at the server, or take sslmode out of the URL.',
};

/** Why the server does not let us connect; undefined for any other error. */
export function findRefusal(error: unknown): Refusal | undefined {
  if (error instanceof pg.DatabaseError) return REFUSED_STORAGE[error.code ?? ''];
  if (!(error instanceof Error)) return undefined;
  if (/^SASL: .*client password must be a /.test(error.message)) return NO_PASSWORD;
  return error.message === 'The server does not support SSL connections' ? NO_TLS : undefined;
}
