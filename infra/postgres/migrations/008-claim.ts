/**
 * `service.claim` as in `003-agenda.ts`, but its cost no longer grows with the number of lanes that have nothing due: with one
 * row each for the next look at every account, these are nearly all.
 *
 * For each kind, due rows are counted up to `many`. If there are fewer, the rows themselves give the lanes. If there are more,
 * the kind's lanes are visited one by one as before, so that a lane with a million due rows does not slow down the others.
 *
 * Rows are compared and sorted by all columns of the intended index. With a plain `kind = …`, the planner, which does not yet
 * know how many rows a kind or a lane has, picks the other index and reads all pending rows of a lane. An array of ids is used
 * instead of a subselect for the same reason.
 */
export const CLAIM = `
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
    select key as kind, value->>'pool' as pool, (value->>'cap')::int as cap, (
      select count(*) from (
        select from read.agenda
        where (kind, greatest(due_at, lease_until)) between (key, '-infinity'::timestamptz) and (key, claim.at)
        order by kind, greatest(due_at, lease_until) limit many
      ) row
    ) as due
    from json_each(claim.kinds)
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
      where (kind, greatest(due_at, lease_until)) between (caps.kind, '-infinity'::timestamptz) and (caps.kind, claim.at)
      order by kind, greatest(due_at, lease_until) limit many
    ) row
    where caps.due between 1 and many - 1
  ), busy as (
    select lane, min(kind) as kind, count(*)::int as n from read.agenda
    where lease_token is not null and lease_until > claim.at group by lane
  ), room as (
    select pool, least((value->>'free')::int, (value->>'most')::int - coalesce(sum(n), 0)::int) as rows
    from json_each(claim.rooms) as r(pool, value) left join (busy join caps using (kind)) using (pool)
    group by pool, value->>'free', value->>'most'
  ), turns as (
    select lane, kind, pool, cap, coalesce(n, 0) as n,
      row_number() over (partition by pool order by coalesce(n, 0)::real / cap, hashtext(lane || claim.at::text)) as turn
    from lanes join caps using (kind) left join (select lane, n from busy) busy using (lane)
    where coalesce(n, 0) < cap
  ), offered as (
    select row.id, pool, (n + row_number() over (partition by lane order by row.free_at) - 1)::real / cap as used, turn
    from turns join room using (pool) cross join lateral (
      select id, greatest(due_at, lease_until) as free_at from read.agenda
      where (kind, lane, greatest(due_at, lease_until))
        between (turns.kind, turns.lane, '-infinity'::timestamptz) and (turns.kind, turns.lane, claim.at)
      order by kind, lane, greatest(due_at, lease_until) limit turns.cap - turns.n for update skip locked
    ) row
    where turns.turn <= room.rows
  ), due as (
    select id, pool, row_number() over (partition by pool order by used, turn) as place from offered
  )
  update read.agenda as a set lease_token = gen_random_uuid()::text, lease_owner = claim.owner, lease_until = claim.until
  where a.id = any (array(select due.id from due join room using (pool) where due.place <= room.rows))
  returning a.id, a.kind, a.subject, a.part, a.lane, a.due_at, a.lease_token;
end $$;
`
