/**
 * Which post was the last to claim a content for an account (`api/v1/posts/claim-content.ts`), so that of two identical posts at once
 * one is refused. `key`: a hash of account, text and media. Kept for a day.
 */
export const POST_CLAIMS = `
create table service.post_claims (
  workspace_id text not null,
  key text not null,
  post_id text not null,
  created_at timestamptz not null,
  primary key (workspace_id, key)
);
create index on service.post_claims (created_at);
`
