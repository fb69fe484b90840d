/**
 * The event log (`event-log/postgres.ts`).
 *
 * `append_batch` takes many appends at once under one advisory lock, so positions are dense and a reader never sees a
 * later event before an earlier one. The lock is a statement of its own: the next statement's snapshot then holds all
 * that earlier batches wrote (READ COMMITTED). No two appends of a batch may name the same stream.
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
  streams text[], expected bigint[],
  items bigint[], ids uuid[], types text[], data text[], metadata text[]
) returns table (item bigint, outcome text, stream_revision bigint, log_position bigint)
language plpgsql as $$
declare
  head bigint;
begin
  perform pg_advisory_xact_lock(7305808869230501);
  select coalesce(max(e.position), 0) into head from log.events e;
  return query
  with appends as (
    select u.n, u.stream, u.expected, coalesce(
      (select e.revision from log.events e where e.stream = u.stream order by e.revision desc limit 1), -1) as actual
    from unnest(append_batch.streams, append_batch.expected) with ordinality as u(stream, expected, n)
  ), given as (
    select u.item, u.id, u.type, u.data, u.metadata, u.n,
      row_number() over (partition by u.item order by u.n) as nth,
      count(*) over (partition by u.item) as size
    from unnest(append_batch.items, append_batch.ids, append_batch.types, append_batch.data, append_batch.metadata)
      with ordinality as u(item, id, type, data, metadata, n)
  ), inserted as (
    insert into log.events (position, stream, revision, id, type, data, metadata)
    select head + row_number() over (order by g.n), a.stream, a.expected + g.nth, g.id, g.type,
      g.data::json, g.metadata::json
    from given g join appends a on a.n = g.item
    where a.actual = a.expected
    order by g.n
    returning log.events.stream, log.events.revision, log.events.position
  )
  select a.n,
    case
      when a.actual = a.expected then 'appended'
      when repeated.size is not null then 'repeated'
      else 'conflict'
    end,
    case when a.actual = a.expected then written.revision
      else coalesce(a.expected + repeated.size, a.actual) end,
    case when a.actual = a.expected then written.position
      else (select e.position from log.events e
            where e.stream = a.stream and e.revision = a.expected + repeated.size) end
  from appends a
  left join lateral (
    select max(i.revision) as revision, max(i.position) as position from inserted i where i.stream = a.stream
  ) written on a.actual = a.expected
  left join lateral (
    select max(g.size) as size from given g
    left join log.events e on e.stream = a.stream and e.revision = a.expected + g.nth
    where g.item = a.n having bool_and(e.id is not distinct from g.id)
  ) repeated on a.actual > a.expected;
end $$;
`
