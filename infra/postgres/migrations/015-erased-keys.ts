/**
 * Which erasure erased a key, and when. The row remains, without its secret: otherwise the stream would look like one that began
 * without a key, and its next event would be stored in plain text.
 */
export const ERASED_KEYS = `
alter table service.event_keys add column erasure_id text, add column erased_at timestamptz;
`
