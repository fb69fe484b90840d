import { AGENDA } from './003-agenda.ts'

/** Once the lock is held, the next statement sees every hold that was placed under it before. */
const LOCKED = 'perform pg_advisory_xact_lock(7305808869230504);'
const UNLESS_HELD = `if exists (select from service.holds h where h.until is null or h.until > clock_timestamp()) then
    return;
  end if;`

/**
 * `installation`: identifies this database, so that an export knows where its credentials are. `holds`: while one is in place, no
 * automatic work runs (`infra/postgres/holds.ts`); `service.claim` is unchanged, except that it leases nothing then.
 */
export const MOVES = `
create table service.installation (id uuid primary key default gen_random_uuid());
insert into service.installation default values;

create table service.holds (
  name text primary key,
  since timestamptz not null default clock_timestamp(),
  -- Null: until it is lifted.
  until timestamptz
);

${AGENDA.replace('create function', 'create or replace function').replace(LOCKED, `${LOCKED}\n  ${UNLESS_HELD}`)}
`
