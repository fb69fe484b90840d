export const COMMENTS = `
create table service.comment_checks (
  account_id text primary key,
  checked_at timestamptz,
  swept_at timestamptz,
  interval_ms bigint,
  error text
);
`
