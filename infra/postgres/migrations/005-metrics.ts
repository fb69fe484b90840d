/**
 * `live_answers`: what platforms said when they were asked for numbers (`reactors/analytics/live-answers.ts`). Nobody asks before
 * `ask_after`: somebody else is asking, or has just been refused.
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
