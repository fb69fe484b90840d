/**
 * The passwords of dashboard users (`infra/postgres/passwords.ts`) and their sessions (`api/dashboard/sessions.ts`). A session is
 * valid only while its password is the user's current one.
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
