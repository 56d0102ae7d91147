-- The size of chat messages.

create or replace function :schema.chat_message_bytes(p_parts jsonb) returns int
language sql immutable as $$
  select octet_length(p_parts::text);
$$;

create or replace function :schema.chat_message_text_bytes(p_parts jsonb) returns int
language sql immutable as $$
  select coalesce(sum(octet_length(p.part ->> 'text')), 0)::int from jsonb_array_elements(p_parts) p (part) where p.part ->> 'type' = 'text';
$$;

create or replace function :schema.chat_message_measure() returns trigger language plpgsql as $$
begin
  new.bytes := :schema.chat_message_bytes(new.parts);
  new.text_bytes := :schema.chat_message_text_bytes(new.parts);
  return new;
end $$;

create or replace function :schema.chat_message_cut(p_parts jsonb, p_most int) returns jsonb
language sql immutable as $$
-- The beginning of a message: the parts that begin within so many bytes, the last of them cut there. A character counts
-- as many bytes as the average of its part.
  select coalesce(jsonb_agg(case when p.until <= p_most or p.words is null then p.part
                                 else jsonb_set(p.part, p.at_words, to_jsonb(left(p.words, (greatest(p_most - (p.until - p.size), 0) * char_length(p.words)::float8 / p.size)::int))) end
                            order by p.at), '[]')
    from (select e.part, e.at, t.at_words, e.part #>> t.at_words as words, octet_length(e.part::text) as size, sum(octet_length(e.part::text)) over (order by e.at) as until
            from jsonb_array_elements(p_parts) with ordinality as e (part, at)
            cross join lateral (select case e.part ->> 'type' when 'data-job' then '{data,objective}'::text[] else '{text}'::text[] end) as t (at_words)) p
   where p.until - p.size < p_most;
$$;

-- Full-text search of chat messages. A message and a search are reduced in the same way: punctuation separates words, and
-- a word is kept as it is and as its English and German stem. So a word matches in any of its forms, in a text of either
-- language, and names, numbers and words of other languages match as they are written.

create or replace function :schema.chat_message_text(p_parts jsonb) returns text
language sql immutable as $$
-- What a person reads in a message: its text, the names of its files, the objective of its run.
  select coalesce(string_agg(coalesce(case p.part ->> 'type' when 'text' then p.part ->> 'text' end, p.part #>> '{data,name}', p.part #>> '{data,objective}'), E'\n' order by p.at), '')
    from jsonb_array_elements(p_parts) with ordinality as p (part, at);
$$;

create or replace function :schema.chat_search_plain(p_text text) returns text
language sql immutable as $$
-- At most 100,000 characters: a tsvector holds one megabyte.
  select regexp_replace(left(p_text, 100000), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g');
$$;

create or replace function :schema.chat_search_words(p_text text) returns tsvector
language sql immutable as $$
  select strip(to_tsvector('pg_catalog.simple', t.plain)) || strip(to_tsvector('pg_catalog.english', t.plain)) || strip(to_tsvector('pg_catalog.german', t.plain))
    from (select :schema.chat_search_plain(p_text) as plain) t;
$$;

create or replace function :schema.chat_search_counts(p_word text) returns boolean
language sql immutable as $$
-- False for very common words, such as "the" and "und".
  select length(to_tsvector('pg_catalog.english', p_word)) > 0 and length(to_tsvector('pg_catalog.german', p_word)) > 0;
$$;

create or replace function :schema.chat_search_query(p_text text) returns tsquery
language plpgsql stable as $$
-- Every word has to occur, in any of its forms. Very common words count only if there are no others. The last word may be
-- the beginning of one, unless something follows it or it is very short.
declare
  words text[] := (regexp_split_to_array(btrim(:schema.chat_search_plain(left(p_text, 500))), '\s+'))[1:16];
  typed boolean := cardinality(words) < 16 and right(:schema.chat_search_plain(p_text), 1) <> ' ' and octet_length(words[cardinality(words)]) > 2;
  anything boolean := exists (select from unnest(words) w where :schema.chat_search_counts(w));
  form tsquery;
  forms tsquery;
  whole tsquery;
begin
  for i in 1 .. cardinality(words) loop
    forms := null;
    if i = cardinality(words) and typed then
      select string_agg('''' || u.lexeme || ''':*', ' & ')::tsquery into forms from unnest(to_tsvector('pg_catalog.simple', words[i])) u;
    elsif anything and not :schema.chat_search_counts(words[i]) then
      continue;
    end if;
    foreach form in array array[plainto_tsquery('pg_catalog.simple', words[i]), plainto_tsquery('pg_catalog.english', words[i]), plainto_tsquery('pg_catalog.german', words[i])] loop
      if numnode(form) > 0 then
        forms := coalesce(forms || form, form);
      end if;
    end loop;
    if forms is not null then
      whole := coalesce(whole && forms, forms);
    end if;
  end loop;
  return whole;
end $$;

create or replace function :schema.chat_search_owner(p_organization text, p_user text) returns text
language sql immutable as $$
-- No word contains punctuation, so none is taken for an owner.
  select '@' || p_organization || '/' || p_user;
$$;

create or replace function :schema.chat_search_write() returns trigger language plpgsql as $$
begin
  insert into :schema.chat_message_search (message_id, owner, workspace_id, words)
    select new.id, o.owner, t.workspace_id, :schema.chat_search_words(:schema.chat_message_text(new.parts)) || array_to_tsvector(array[o.owner])
      from :schema.chat_thread t, :schema.chat_search_owner(t.organization_id, t.user_id) as o (owner) where t.id = new.thread_id
    on conflict (message_id) do update set words = excluded.words;
  return null;
end $$;

create or replace function :schema.chat_search_all(p_owner text, p_workspace text, p_query tsquery, p_before text, p_most int) returns setof text
language plpgsql stable set enable_bitmapscan = on set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
-- Only the index on the words is used: reading the words of a row costs more than the planner expects.
begin
  return query select s.message_id from :schema.chat_message_search s
    where s.words @@ (('''' || p_owner || '''')::tsquery && p_query)
      and (p_workspace is null or s.workspace_id = p_workspace) and (p_before is null or s.message_id < p_before)
    order by s.message_id desc limit p_most;
end $$;

create or replace function :schema.chat_search_find(p_organization text, p_user text, p_workspace text, p_query tsquery, p_before text, p_most int) returns setof text
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
-- The latest messages of a person that match. A common word fills a page with recent ones; the index on the words would
-- find all of them first. So recent messages are read one by one, up to 300 of them and 2 MiB of words, and the index finds
-- what is older.
declare
  of_owner text := :schema.chat_search_owner(p_organization, p_user);
  recent text;
  found_recently int;
begin
  select min(r.message_id) into recent
    from (select s.message_id, row_number() over latest as number, sum(s.size) over latest as bytes
            from (select m.message_id, pg_column_size(m.words) as size from :schema.chat_message_search m
                   where m.owner = of_owner and (p_before is null or m.message_id < p_before) order by m.message_id desc limit 300) s
          window latest as (order by s.message_id desc)) r
   where r.number = 1 or r.bytes <= 2097152;
  if recent is null then
    return;
  end if;
  return query select s.message_id from :schema.chat_message_search s
    where s.owner = of_owner and s.message_id >= recent and (p_before is null or s.message_id < p_before)
      and s.words @@ p_query and (p_workspace is null or s.workspace_id = p_workspace)
    order by s.message_id desc limit p_most;
  get diagnostics found_recently = row_count;
  if found_recently < p_most then
    return query select a.message_id from :schema.chat_search_all(of_owner, p_workspace, p_query, recent, p_most - found_recently) as a (message_id);
  end if;
end $$;

create or replace function :schema.project_piece_words(p_project text, p_text text) returns tsvector
language sql immutable as $$
-- With positions, so that how often a word occurs counts. No word contains punctuation, so none is taken for a project.
  select to_tsvector('pg_catalog.simple', t.plain) || to_tsvector('pg_catalog.english', t.plain) || to_tsvector('pg_catalog.german', t.plain) || array_to_tsvector(array['@' || p_project])
    from (select :schema.chat_search_plain(p_text) as plain) t;
$$;

create or replace function :schema.project_question(p_text text) returns setof tsquery
language sql stable as $$
-- The words of a question, each in its forms. Very common ones say nothing about what is asked.
  select (plainto_tsquery('pg_catalog.simple', w.word) || plainto_tsquery('pg_catalog.english', w.word)) || plainto_tsquery('pg_catalog.german', w.word)
    from (select distinct s.word from regexp_split_to_table(lower(btrim(:schema.chat_search_plain(left(p_text, 2000)))), '\s+') as s (word)
           where s.word <> '' and :schema.chat_search_counts(s.word) limit 32) w;
$$;

create or replace function :schema.project_search(p_project text, p_text text, p_most int) returns table (file_id text, piece int, score double precision)
language sql stable as $$
-- The pieces with the most, and the rarest, words of a question. Any word is enough: a question rarely repeats a text.
  with word as materialized (
    select row_number() over () as at, q.forms from :schema.project_question(p_text) as q (forms)),
  hit as materialized (
    select w.at, p.file_id, p.position, ts_rank(p.words, w.forms) as often
      from word w join :schema.project_piece p on p.words @@ (('''@' || p_project || '''')::tsquery && w.forms)
     where p.project_id = p_project),
  rare as (
    select h.at, ln(1 + (select count(*) from :schema.project_piece p where p.project_id = p_project)::float8 / count(*)) as weight from hit h group by h.at)
  select h.file_id, h.position, sum(r.weight * (1 + h.often)) as score
    from hit h join rare r on r.at = h.at group by h.file_id, h.position order by score desc, h.file_id, h.position limit p_most;
$$;
