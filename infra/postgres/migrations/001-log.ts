/**
 * The event log (`event-log/postgres/log.ts`).
 *
 * `append_batch` handles many appends at once under one advisory lock, so positions are dense and a reader never sees a later
 * event before an earlier one. The lock is a separate statement: the next statement's snapshot then includes everything that
 * earlier batches wrote (READ COMMITTED). No two appends of a batch may name the same stream.
 *
 * All appends succeed or none. If some cannot be applied, it returns those: appends that were already stored with their position,
 * and appends with a wrong expected revision with the actual revision and no position. If all succeed, it returns append 0 and
 * the position that they follow. Texts are passed joined by U+001E, which occurs neither in names nor in JSON: writing and
 * parsing an array of JSON takes a third longer than storing it.
 */
export const LOG = `
create schema log;

create table log.events (
  position bigint primary key,
  stream text not null,
  revision bigint not null,
  id uuid not null,
  type text not null,
  data json not null,
  metadata json not null,
  recorded_at timestamptz not null default clock_timestamp(),
  unique (stream, revision)
);

create function log.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the event log is append-only: % refused', tg_op;
end $$;

create trigger append_only before update or delete or truncate on log.events
  for each statement execute function log.refuse_change();

create function log.append_batch(
  streams text, expected bigint[],
  appends bigint[], revisions bigint[], ids uuid[], types text, data text, metadata text
) returns table (append bigint, at_revision bigint, at_position bigint)
language plpgsql as $$
declare
  names text[] := string_to_array(streams, E'\\x1e');
  head bigint;
begin
  perform pg_advisory_xact_lock(7305808869230501);
  select coalesce(max(e.position), 0) into head from log.events e;
  if not exists (
    select from unnest(names, append_batch.expected) as a(stream, expected)
    where a.expected <> coalesce(
      (select e.revision from log.events e where e.stream = a.stream order by e.revision desc limit 1), -1)
  ) then
    insert into log.events (position, stream, revision, id, type, data, metadata)
    select head + g.n, names[g.append], g.revision, g.id, g.type, g.data::json, g.metadata::json
    from unnest(appends, revisions, ids, string_to_array(types, E'\\x1e'),
        string_to_array(append_batch.data, E'\\x1e'), string_to_array(append_batch.metadata, E'\\x1e'))
      with ordinality as g(append, revision, id, type, data, metadata, n);
    return query select 0::bigint, null::bigint, head;
    return;
  end if;

  return query
  select a.n, coalesce(done.revision, a.actual),
    (select e.position from log.events e where e.stream = a.stream and e.revision = done.revision)
  from (
    select u.n, u.stream, u.expected, coalesce(
      (select e.revision from log.events e where e.stream = u.stream order by e.revision desc limit 1), -1) as actual
    from unnest(names, append_batch.expected) with ordinality as u(stream, expected, n)
  ) a
  left join lateral (
    select max(g.revision) as revision
    from unnest(appends, revisions, ids) as g(append, revision, id)
    where g.append = a.n
    having bool_and(g.id is not distinct from
      (select e.id from log.events e where e.stream = a.stream and e.revision = g.revision))
  ) done on a.actual > a.expected
  where a.actual <> a.expected;
end $$;
`
