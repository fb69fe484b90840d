/**
 * `restores`: when the log was restored from a backup. `restored_work`: the outcome of looking on the platforms for each piece of
 * work that is pending in the restored log, by agenda row (`infra/postgres/restores.ts`). Neither is stored as events: the
 * restored log may end before them.
 */
export const RESTORES = `
create table service.restores (at timestamptz primary key);

create table service.restored_work (
  id text primary key,
  kind text not null,
  subject text not null,
  workspace_id text not null,
  platform text,
  account_id text,
  -- How the post or reply begins.
  text text not null default '',
  due_at timestamptz not null,
  outcome text not null,
  reason text not null default '',
  -- Null: it is not looked for again.
  look_at timestamptz
);
`
