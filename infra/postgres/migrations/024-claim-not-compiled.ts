/**
 * `service.claim` is never compiled. To rule out sequential scans (`010-claim-planned-once.ts`), Postgres before 18 adds 10,000,000,000 to
 * their cost, and compiles what costs more than 100,000: that took 70 ms of CPU per call, of a query that runs for 1 ms.
 */
export const CLAIM_NOT_COMPILED = `
alter function service.claim(timestamptz, json, json, text, timestamptz) set jit = off;
`
