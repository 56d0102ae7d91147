// The schema as text, from PostgreSQL's catalogue: what test/schema.sql holds. pg_dump would have to be as new as the
// server, and says the same thing differently from version to version.
import type { Database } from '../../src/store/database.ts';

const TABLES = `
select 'create ' || case c.relpersistence when 'u' then 'unlogged ' else '' end || 'table ' || c.relname || ' (' || e'\\n'
  || (select string_agg('  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(l.collname) else '' end
        || case when a.attnotnull then ' not null' else '' end
        || case when a.attidentity = 'a' then ' generated always as identity'
                when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
        || case when a.attstorage <> t.typstorage then ' storage ' || a.attstorage::text else '' end, e',\\n' order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
  || coalesce((select string_agg(e',\\n  constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid), '' order by k.contype desc, k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')), '')
  || e'\\n)' || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') || ';'
  || coalesce((select string_agg(e'\\n' || pg_get_indexdef(i.indexrelid) || ';', '' order by x.relname)
      from pg_index i join pg_class x on x.oid = i.indexrelid
      where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))), '')
  || coalesce((select string_agg(e'\\n' || pg_get_triggerdef(g.oid) || ';', '' order by g.tgname)
      from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal), '')
  || coalesce(e'\\ncomment on table ' || c.relname || ' is ' || quote_literal(obj_description(c.oid, 'pg_class')) || ';', '') as text
from pg_class c where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'r' order by c.relname`;

const VIEWS = `
select 'create view ' || c.relname || e' as\\n' || pg_get_viewdef(c.oid, true) as text
from pg_class c where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'v' order by c.relname`;

const TYPES = `
select 'create type ' || c.relname || ' as (' || e'\\n'
  || (select string_agg('  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod), e',\\n' order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) || e'\\n);' as text
from pg_class c where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'c' order by c.relname`;

const DOMAINS = `
select 'create domain ' || t.typname || ' as ' || format_type(t.typbasetype, t.typtypmod)
  || (select string_agg(' ' || pg_get_constraintdef(k.oid), '' order by k.conname) from pg_constraint k where k.contypid = t.oid) || ';' as text
from pg_type t where t.typnamespace = to_regnamespace(quote_ident($1)) and t.typtype = 'd' order by t.typname`;

/** Of functions the head only: their bodies are read in migrations/functions. */
const FUNCTIONS = `
select 'create function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid)
  || ' language ' || l.lanname || case p.provolatile when 'i' then ' immutable' when 's' then ' stable' else '' end
  || coalesce(' set ' || array_to_string(p.proconfig, ' set '), '') || ';' as text
from pg_proc p join pg_language l on l.oid = p.prolang
where p.pronamespace = to_regnamespace(quote_ident($1)) order by p.proname, pg_get_function_identity_arguments(p.oid)`;

export async function describeSchema(db: Database): Promise<string> {
  const parts: string[] = [];
  for (const sql of [TABLES, VIEWS, TYPES, DOMAINS, FUNCTIONS]) {
    const { rows } = await db.query<{ text: string }>(sql, [db.schema]);
    parts.push(...rows.map(({ text }) => text));
  }
  return `${parts
    .join('\n\n')
    .replaceAll(new RegExp(`"?${db.schema}"?\\.`, 'g'), '')
    .trim()}\n`;
}
