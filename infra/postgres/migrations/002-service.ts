/**
 * Service state that is not in the log: secrets (`infra/postgres/vault.ts`), rate-limit windows (`api/http/rate-limit.ts`),
 * idempotency keys (`api/http/idempotency.ts`), authorizations in progress in a browser
 * (`reactors/accounts/authorization-store.ts`), when feeds were checked (`reactors/feeds/feed-checks.ts`), and the checkpoints of
 * followers (`reactors/runtime/follower-checkpoint.ts`).
 */
export const SERVICE = `
create schema service;

create table service.data_keys (
  workspace_id text primary key,
  wrapped bytea not null
);

create table service.secrets (
  id text primary key,
  workspace_id text not null references service.data_keys on delete cascade,
  sealed bytea not null,
  version bigint not null default 1
);

create table service.rate_windows (
  subject text primary key,
  minute bigint not null,
  minute_count integer not null,
  day bigint not null,
  day_count integer not null
);

-- Grants as many of the asked requests as both windows leave, in one step however many processes ask. The subjects come
-- sorted, so that two callers never wait for each other.
create function service.admit(
  subjects text[], asked integer[], this_minute bigint, this_day bigint, per_minute integer, per_day integer
) returns table (subject text, granted integer, minute_left integer, day_left integer)
language plpgsql as $$
declare
  w service.rate_windows;
  m bigint;
  d bigint;
  n integer;
begin
  -- Not waited for on the disk: a server that crashes may forget the last moments of a count.
  perform set_config('synchronous_commit', 'off', true);
  for i in 1 .. cardinality(subjects) loop
    insert into service.rate_windows values (subjects[i], this_minute, 0, this_day, 0) on conflict do nothing;
    select * into w from service.rate_windows r where r.subject = subjects[i] for update;
    -- Who asks late, or by a clock that is behind, counts in the window that has begun: an old one must not reset it.
    m := case when w.minute = this_minute + 1 then w.minute else this_minute end;
    d := case when w.day = this_day + 1 then w.day else this_day end;
    if w.minute <> m then w.minute_count := 0; end if;
    if w.day <> d then w.day_count := 0; end if;
    n := greatest(0, least(asked[i], per_minute - w.minute_count, per_day - w.day_count));
    update service.rate_windows r set minute = m, minute_count = w.minute_count + n,
      day = d, day_count = w.day_count + n where r.subject = subjects[i];
    subject := subjects[i];
    granted := n;
    minute_left := per_minute - w.minute_count - n;
    day_left := per_day - w.day_count - n;
    return next;
  end loop;
end $$;

create table service.idempotency_keys (
  api_key_id text not null,
  route text not null,
  key text not null,
  resource_id text not null,
  created_at timestamptz not null,
  locked_until timestamptz,
  status integer,
  body text,
  primary key (api_key_id, route, key)
);
create index on service.idempotency_keys (created_at);

create table service.feed_checks (
  feed_id text primary key,
  checked_at timestamptz not null,
  etag text,
  last_modified text
);

create table service.followers (
  name text primary key,
  position bigint not null
);

create table service.authorizations (
  id text primary key,
  workspace_id text not null,
  platform text not null,
  base_url text,
  label text,
  -- Who began it.
  actor jsonb not null,
  step text not null,
  -- What it came to: the account's id and label, or why there is none.
  account_id text,
  connected_as text,
  failure text,
  expires_at timestamptz not null
);
create index on service.authorizations (expires_at);
`
