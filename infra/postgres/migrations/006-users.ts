/**
 * What users of the dashboard sign in with (`infra/postgres/passwords.ts`), and where they are signed in
 * (`api/dashboard/sessions.ts`). A session counts as long as its password is the user's.
 */
export const USERS = `
create table service.passwords (
  id text primary key,
  hash text not null
);

create table service.sessions (
  -- SHA-256 of the token that the browser has.
  token_hash text primary key,
  user_id text not null,
  password_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on service.sessions (user_id);
create index on service.sessions (expires_at);
`
