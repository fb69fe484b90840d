/**
 * What API keys have used up of their budgets on a day of their workspace (`infra/postgres/key-spending.ts`). `subject`: the post, reply or
 * video. `amount`: of dollars millionths. `holders`: the requests for it that were not refused; at 0 it does not count. Kept for two days.
 */
export const KEY_SPENDING = `
create table service.key_spending (
  key_id text not null,
  workspace_id text not null,
  budget text not null,
  subject text not null,
  day text not null,
  amount bigint not null,
  holders bigint not null,
  created_at timestamptz not null,
  primary key (key_id, budget, subject)
);
create index on service.key_spending (key_id, day);
create index on service.key_spending (workspace_id);
create index on service.key_spending (created_at);
`
