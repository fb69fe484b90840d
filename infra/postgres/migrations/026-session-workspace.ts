/** The workspace that a session shows, of the several that its user may be in. Null: the one that they joined first. */
export const SESSION_WORKSPACE = `
alter table service.sessions add column workspace_id text;
`
