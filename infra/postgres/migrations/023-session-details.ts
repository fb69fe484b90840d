/**
 * What users see of their sessions. `browser`: its name and system, such as `Firefox on Linux`; nothing else of the request is kept.
 * `used_at`: the last use, to the hour. Both are null where a process before this migration wrote them.
 */
export const SESSION_DETAILS = `
alter table service.sessions add column browser text, add column used_at timestamptz;
`
