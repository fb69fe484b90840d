/**
 * `service.claim` shares a pool's worker slots between workspaces: the workspace that holds the fewest goes first, and none takes
 * more than three times what it leaves, so a slot is free when another workspace arrives. `kinds` says what a kind's lanes are
 * named after (`account`, `webhook`, else `workspace`), and each row is returned with its workspace. Shares count the leases of
 * one owner, as does `free`. Otherwise as in `009-claim-by-one-index.ts` and `010-claim-planned-once.ts`.
 */
export const FAIR_CLAIM = `
drop function service.claim(timestamptz, json, json, text, timestamptz);
create function service.claim(at timestamptz, kinds json, rooms json, owner text, until timestamptz)
returns table (id text, kind text, subject text, part text, lane text, due_at timestamptz, token text, workspace text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
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
    select k.key as kind, r.key as pool, (k.value->>'cap')::int as cap, k.value->>'lane' as named_by,
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
    select lane, min(kind) as kind, count(*)::int as n, (count(*) filter (where lease_owner = claim.owner))::int as own
    from read.agenda where lease_token is not null and lease_until > claim.at group by lane
  ), room as (
    select pool, least(free, most - coalesce(sum(n), 0)::int) as rows
    from caps left join busy using (kind) group by pool, free, most
  ), whose as (
    select lane, kind, pool, cap, coalesce(case named_by
        when 'account' then (select workspace_id from read.accounts where id = name)
        when 'webhook' then (select workspace_id from read.webhooks where id = name)
        else nullif(name, '')
      end, lane) as workspace
    from (select lane, kind from lanes union select lane, kind from busy) known join caps using (kind)
      cross join lateral (select substr(lane, length(kind) + 2) as name) named
  ), held as (
    select pool, workspace, sum(own) as n from busy join whose using (lane, kind) group by pool, workspace
  ), open as (
    select lane, kind, pool, cap, workspace, coalesce(busy.n, 0) as n, coalesce(held.n, 0) as held,
      row_number() over (
        partition by pool, workspace order by coalesce(busy.n, 0)::real / cap, hashtext(lane || claim.at::text)
      ) as nth
    from lanes join whose using (lane, kind) left join (select lane, n from busy) busy using (lane)
      left join held using (pool, workspace)
    where coalesce(busy.n, 0) < cap
  ), turns as (
    select *, row_number() over (
      partition by pool order by held + nth, n::real / cap, hashtext(lane || claim.at::text)
    ) as turn
    from open
  ), offered as (
    select row.id, pool, workspace, held, turn,
      (n + row_number() over (partition by lane order by row.free_at) - 1)::real / cap as used
    from turns join room using (pool) cross join lateral (
      select id, greatest(due_at, lease_until) as free_at from read.agenda
      where kind = turns.kind and lane = turns.lane and greatest(due_at, lease_until) <= claim.at
      order by greatest(due_at, lease_until) limit turns.cap - turns.n
    ) row
    where turns.turn <= room.rows
  ), shared as (
    select id, pool, workspace, used, turn,
      held + row_number() over (partition by pool, workspace order by used, turn) as share
    from offered
  ), due as (
    select id, pool, workspace, share, row_number() over (partition by pool order by share, used, turn) as place
    from shared
  ), given as materialized (
    select due.id, due.workspace from due join room using (pool)
    where due.place <= room.rows and (due.share = 1 or due.share <= 3 * (room.rows - due.place + 1))
  )
  update read.agenda as a set lease_token = gen_random_uuid()::text, lease_owner = claim.owner, lease_until = claim.until
  where a.id = any (array(
    select id from read.agenda
    where id = any (array(select given.id from given)) and greatest(due_at, lease_until) <= claim.at
    for update skip locked
  ))
  returning a.id, a.kind, a.subject, a.part, a.lane, a.due_at, a.lease_token,
    (select workspace from given where given.id = a.id);
end $$;
`
