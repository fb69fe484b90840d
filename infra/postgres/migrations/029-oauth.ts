/**
 * What the OAuth server knows besides the log (`api/oauth/storage.ts`). `oauth_clients`: the apps that registered themselves; `used`: a person
 * has let one in. `oauth_artifacts`: requests, grants, codes and tokens, each by the hash of its id; `grant_id`: of the API key that the
 * grant is.
 */
export const OAUTH = `
create table service.oauth_clients (
  id text primary key,
  metadata jsonb not null,
  used boolean not null default false,
  expires_at timestamptz not null
);
create index on service.oauth_clients (expires_at);
create index on service.oauth_clients (id) where not used;

create table service.oauth_artifacts (
  kind text not null,
  id_hash text not null,
  grant_id text,
  payload jsonb not null,
  created_at timestamptz not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (kind, id_hash)
);
create index on service.oauth_artifacts (grant_id);
create index on service.oauth_artifacts (expires_at);
`
