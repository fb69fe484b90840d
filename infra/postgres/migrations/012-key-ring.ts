/**
 * `master_key`: the id of the key that wraps data keys from now on, and of the one before it; `key_id`: of the one that wraps
 * this data key. Null if written by an earlier version (`infra/postgres/master-key.ts`).
 */
export const KEY_RING = `
alter table service.installation add column master_key text, add column previous_master_key text;
alter table service.data_keys add column key_id text;
-- A rotation reads a workspace's secrets in pages.
create index on service.secrets (workspace_id, id);
`
