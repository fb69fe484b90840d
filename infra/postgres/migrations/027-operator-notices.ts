/** What the operator has been told is wrong, and is not known to be over, so that one of all processes says it. */
export const OPERATOR_NOTICES = `
create table service.operator_notices (
  cause text primary key,
  told_at timestamptz not null
);
`
