/**
 * `service.claim` is planned once in a connection: planning took 1.7 ms of each call, with nothing due three quarters of it. Each of
 * its look-ups has one index that can serve it (`009-claim-by-one-index.ts`), so a plan made while the agenda was short is that of a
 * long one, once reading all of a short table is ruled out.
 */
export const CLAIM_PLANNED_ONCE = `
alter function service.claim(timestamptz, json, json, text, timestamptz) set plan_cache_mode = force_generic_plan;
alter function service.claim(timestamptz, json, json, text, timestamptz) set enable_seqscan = off;
`
