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
    select a.n as item, a.stream, a.expected, a.actual, u.id, u.type, u.data, u.metadata, u.n,
      a.expected + row_number() over (partition by a.n order by u.n) as revision
    from unnest(append_batch.items, append_batch.ids, append_batch.types, append_batch.data, append_batch.metadata)
      with ordinality as u(item, id, type, data, metadata, n)
    join appends a on a.n = u.item
  ), taken as (
    select g.*, head + row_number() over (order by g.n) as position from given g where g.actual = g.expected
  ), inserted as (
    insert into log.events (position, stream, revision, id, type, data, metadata)
    select t.position, t.stream, t.revision, t.id, t.type, t.data::json, t.metadata::json from taken t order by t.position
  )
  select t.item, 'appended', max(t.revision), max(t.position) from taken t group by t.item
  union all
  select a.n, case when r.revision is null then 'conflict' else 'repeated' end, coalesce(r.revision, a.actual),
    (select e.position from log.events e where e.stream = a.stream and e.revision = r.revision)
  from appends a
  left join lateral (
    select max(g.revision) as revision from given g where g.item = a.n
    having bool_and(g.id is not distinct from
      (select e.id from log.events e where e.stream = g.stream and e.revision = g.revision))
  ) r on a.actual > a.expected
  where a.actual <> a.expected;
end $$;
`
