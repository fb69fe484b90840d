/**
 * `live_answers`: the platforms' answers to requests for metrics (`reactors/analytics/live-answers.ts`). No request is made
 * before `ask_after`: another one is in progress, or was just refused.
 */
export const METRICS = `
create table service.metric_checks (
  account_id text primary key,
  error text
);
create table service.live_answers (
  key text primary key,
  answer json,
  answered_at timestamptz,
  failure text,
  asker text,
  ask_after timestamptz
);
create index on service.live_answers ((greatest(answered_at, ask_after)));
`
