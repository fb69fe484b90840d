/**
 * What the service must keep that is not told by the log: secrets (`database/vault.ts`), rate-limit windows
 * (`api/rate-limit.ts`) and idempotency keys (`api/idempotency.ts`).
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
`
