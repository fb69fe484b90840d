/**
 * Sign-ins with OpenID Connect that have begun (`api/dashboard/sign-in-flows.ts`). Whatever is secret about one derives from a token
 * that only the browser has. `user_id` and `session_hash`: of a user who links their identity; null for a sign-in.
 */
export const SIGN_IN_FLOWS = `
create table service.sign_in_flows (
  -- SHA-256 of the token.
  token_hash text primary key,
  -- Where the browser goes afterwards.
  path text not null,
  user_id text,
  session_hash text,
  expires_at timestamptz not null
);
create index on service.sign_in_flows (expires_at);
`
