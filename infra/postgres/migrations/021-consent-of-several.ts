/**
 * `connected`: the accounts that one consent connected, `[{id, label}]`, of which `account_id` and `connected_as` are the first.
 * Null where a process before this migration wrote them. `failure` then says which others could not be connected.
 */
export const CONSENT_OF_SEVERAL = `
alter table service.authorizations add column connected jsonb;
`
