/**
 * `service.claim` is planned once per connection: planning took 1.7 ms per call, three quarters of the call when nothing was due.
 * Each of its lookups can use only one index (`009-claim-by-one-index.ts`), so a plan made while the agenda was short suits a
 * long one too, as long as a sequential scan of a short table is ruled out.
 */
export const CLAIM_PLANNED_ONCE = `
alter function service.claim(timestamptz, json, json, text, timestamptz) set plan_cache_mode = force_generic_plan;
alter function service.claim(timestamptz, json, json, text, timestamptz) set enable_seqscan = off;
`
