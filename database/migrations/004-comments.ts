export const COMMENTS = `
create table service.comment_checks (
  account_id text primary key,
  checked_at timestamptz not null,
  swept_at timestamptz not null,
  interval_ms bigint not null
);
`
