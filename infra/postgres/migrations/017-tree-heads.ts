/**
 * `trees`: the hash tree over the log, as far as it was computed (`event-log/tree/`). A log that is moved gets another. `frontier`
 * has the hashes of its complete subtrees, largest first, and the `last_` columns name the last event in it, with its leaf hash.
 * `fault`: how the log was found to have changed; nothing is signed while it is set. `tree_heads`: its signed heads, as notes.
 */
export const TREE_HEADS = `
create table service.trees (
  id bigint primary key,
  size bigint not null default 0,
  frontier bytea not null default '',
  position bigint,
  last_stream text,
  last_revision bigint,
  last_leaf bytea,
  fault text,
  created_at timestamptz not null default now()
);
insert into service.trees (id) values (1);

create table service.tree_heads (
  tree_id bigint not null references service.trees,
  size bigint not null,
  note text not null,
  primary key (tree_id, size)
);
`
