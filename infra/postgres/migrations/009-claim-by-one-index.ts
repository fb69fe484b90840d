/**
 * `service.claim` as in `008-claim.ts`, but each of its lookups can use only one index, so nothing depends on the planner's
 * estimates for rows that come and go within a second. The planner used to pick the index by kind for the rows of a lane, and
 * read all pending rows of the kind for each lane.
 *
 * The index of due rows by kind is on `kind || ''`, so it serves no other condition; that of lanes is on `kind` and `lane`. Kinds
 * without a free worker slot are skipped, and only leased rows are locked, not all candidates.
 */
export const CLAIM_BY_ONE_INDEX = `
create or replace function service.claim(at timestamptz, kinds json, rooms json, owner text, until timestamptz)
returns table (id text, kind text, subject text, part text, lane text, due_at timestamptz, token text)
language plpgsql set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  many constant int := 500;
begin
  perform pg_advisory_xact_lock(7305808869230504);
  -- Once the lock is had, the next statement sees every hold that was placed under it before (007-moves.ts).
  if exists (select from service.holds h where h.until is null or h.until > clock_timestamp()) then
    return;
  end if;
  return query
  with recursive caps as materialized (
    select k.key as kind, r.key as pool, (k.value->>'cap')::int as cap,
      (r.value->>'free')::int as free, (r.value->>'most')::int as most, (
        select count(*) from (
          select from read.agenda
          where kind || '' = k.key and greatest(due_at, lease_until) <= claim.at
          order by kind || '', greatest(due_at, lease_until) limit many
        ) row
      ) as due
    from json_each(claim.kinds) k join json_each(claim.rooms) r on r.key = k.value->>'pool'
    where (r.value->>'free')::int > 0
  ), visited as (
    select first.lane, first.kind, first.free_at from caps cross join lateral (
      select lane, kind, greatest(due_at, lease_until) as free_at from read.agenda
      where (kind, lane) >= (caps.kind, '') order by kind, lane, greatest(due_at, lease_until) limit 1
    ) first
    where caps.due >= many and first.kind = caps.kind
    union all
    select next.lane, next.kind, next.free_at from visited cross join lateral (
      select lane, kind, greatest(due_at, lease_until) as free_at from read.agenda
      where (kind, lane) > (visited.kind, visited.lane) order by kind, lane, greatest(due_at, lease_until) limit 1
    ) next
    where next.kind = visited.kind
  ), lanes as (
    select lane, kind from visited where free_at <= claim.at
    union all
    select distinct row.lane, row.kind from caps cross join lateral (
      select lane, kind from read.agenda
      where kind || '' = caps.kind and greatest(due_at, lease_until) <= claim.at
      order by kind || '', greatest(due_at, lease_until) limit many
    ) row
    where caps.due between 1 and many - 1
  ), busy as (
    select lane, min(kind) as kind, count(*)::int as n from read.agenda
    where lease_token is not null and lease_until > claim.at group by lane
  ), room as (
    select pool, least(free, most - coalesce(sum(n), 0)::int) as rows
    from caps left join busy using (kind) group by pool, free, most
  ), turns as (
    select lane, kind, pool, cap, coalesce(n, 0) as n,
      row_number() over (partition by pool order by coalesce(n, 0)::real / cap, hashtext(lane || claim.at::text)) as turn
    from lanes join caps using (kind) left join (select lane, n from busy) busy using (lane)
    where coalesce(n, 0) < cap
  ), offered as (
    select row.id, pool, (n + row_number() over (partition by lane order by row.free_at) - 1)::real / cap as used, turn
    from turns join room using (pool) cross join lateral (
      select id, greatest(due_at, lease_until) as free_at from read.agenda
      where kind = turns.kind and lane = turns.lane and greatest(due_at, lease_until) <= claim.at
      order by greatest(due_at, lease_until) limit turns.cap - turns.n
    ) row
    where turns.turn <= room.rows
  ), due as (
    select id, pool, row_number() over (partition by pool order by used, turn) as place from offered
  )
  update read.agenda as a set lease_token = gen_random_uuid()::text, lease_owner = claim.owner, lease_until = claim.until
  where a.id = any (array(
    select id from read.agenda
    where id = any (array(select due.id from due join room using (pool) where due.place <= room.rows))
      and greatest(due_at, lease_until) <= claim.at
    for update skip locked
  ))
  returning a.id, a.kind, a.subject, a.part, a.lane, a.due_at, a.lease_token;
end $$;
`
