/**
 * The keys of personal data in events, and whose data it is (`event-log/postgres/event-keys.ts`). Deleting a row erases the data.
 */
export const EVENT_KEYS = `
create table service.event_keys (
  stream text primary key,
  workspace_id text not null,
  -- Useless without the workspace's secret in the vault.
  secret bytea not null,
  account_id text,
  comment_id text,
  -- Hashes under that secret.
  author bytea,
  author_id bytea,
  created_at timestamptz not null default now()
);
create index on service.event_keys (workspace_id, created_at);
create index on service.event_keys (account_id, created_at) where account_id is not null;
create index on service.event_keys (comment_id) where comment_id is not null;
create index on service.event_keys (workspace_id, author_id) where author_id is not null;
`
