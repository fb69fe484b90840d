/**
 * Leases rows of the agenda (`reactors/runtime/leases.ts`; its table is a read model, `projections/agenda/agenda.ts`).
 *
 * `claim` leases due rows in one round trip. The lock is a separate statement: two dispatchers that count at once would each fill
 * a concurrency group (`lane`) to its cap. Lanes are visited one by one through the index (a loose index scan) and yield at most
 * what their cap leaves, so a lane with a million rows, due or waiting, does not slow down the others. Rows of the lane that uses
 * the least of its cap go first; ties are broken by a hash of the lane and the time of the call, so that no lane waits for others
 * to run dry.
 *
 * It is replanned on every call: a plan made while the agenda was short would read all of it for each lane once it is long.
 *
 * `kinds`: `{"<kind>": {"pool": "<name>", "cap": <rows of one lane being worked on at once>}}`.
 * `rooms`: `{"<pool>": {"free": <rows to lease now>, "most": <rows leased at once>}}`.
 */
export const AGENDA = `
create function service.claim(at timestamptz, kinds json, rooms json, owner text, until timestamptz)
returns table (id text, kind text, subject text, part text, lane text, due_at timestamptz, token text)
language plpgsql set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(7305808869230504);
  return query
  with recursive lanes as (
    (select lane, kind, greatest(due_at, lease_until) as free_at from read.agenda
     order by lane, greatest(due_at, lease_until) limit 1)
    union all
    select next.lane, next.kind, next.free_at from lanes cross join lateral (
      select lane, kind, greatest(due_at, lease_until) as free_at from read.agenda
      where lane > lanes.lane order by lane, greatest(due_at, lease_until) limit 1
    ) next
  ), caps as (
    select key as kind, value->>'pool' as pool, (value->>'cap')::int as cap from json_each(claim.kinds)
  ), busy as (
    select lane, min(kind) as kind, count(*)::int as n from read.agenda
    where lease_token is not null and lease_until > claim.at group by lane
  ), room as (
    select pool, least((value->>'free')::int, (value->>'most')::int - coalesce(sum(n), 0)::int) as rows
    from json_each(claim.rooms) as r(pool, value) left join (busy join caps using (kind)) using (pool)
    group by pool, value->>'free', value->>'most'
  ), turns as (
    select lane, pool, cap, coalesce(n, 0) as n,
      row_number() over (partition by pool order by coalesce(n, 0)::real / cap, hashtext(lane || claim.at::text)) as turn
    from lanes join caps using (kind) left join busy using (lane)
    where free_at <= claim.at and coalesce(n, 0) < cap
  ), offered as (
    select row.id, pool, (n + row_number() over (partition by lane order by row.free_at) - 1)::real / cap as used, turn
    from turns join room using (pool) cross join lateral (
      select id, greatest(due_at, lease_until) as free_at from read.agenda
      where lane = turns.lane and greatest(due_at, lease_until) <= claim.at
      order by greatest(due_at, lease_until) limit turns.cap - turns.n for update skip locked
    ) row
    where turns.turn <= room.rows
  ), due as (
    select id, pool, row_number() over (partition by pool order by used, turn) as place from offered
  )
  update read.agenda as a set lease_token = gen_random_uuid()::text, lease_owner = claim.owner, lease_until = claim.until
  where a.id in (select due.id from due join room using (pool) where due.place <= room.rows)
  returning a.id, a.kind, a.subject, a.part, a.lane, a.due_at, a.lease_token;
end $$;
`
