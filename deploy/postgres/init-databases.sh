#!/bin/sh
# Run once by a superuser; the PostgreSQL container does it when it first starts with an empty volume: one database for
# the service, one for the integration provider, and a role that may only read the provider's.
set -eu
: "${SERVICE_DATABASE_PASSWORD:?}" "${NANGO_DATABASE_PASSWORD:?}" "${NANGO_READER_PASSWORD:?}"

# Passwords are passed in the environment: on the command line the process list would show them.
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv service_password SERVICE_DATABASE_PASSWORD
\getenv nango_password NANGO_DATABASE_PASSWORD
\getenv reader_password NANGO_READER_PASSWORD
create role service login password :'service_password';
create role nango login password :'nango_password';
create role nango_reader login password :'reader_password';
-- The encoding is said, because a server that was installed without a locale would make them SQL_ASCII.
create database service owner service encoding 'UTF8' template template0;
create database nango owner nango encoding 'UTF8' template template0;
revoke connect, temporary on database service, nango from public;
grant connect on database nango to nango_reader;
\connect nango
alter default privileges for role nango grant usage on schemas to nango_reader;
alter default privileges for role nango grant select on tables to nango_reader;
-- For a backup: a dump has the place of every sequence.
alter default privileges for role nango grant select on sequences to nango_reader;
SQL
