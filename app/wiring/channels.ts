import { APPENDED } from '../../event-log/postgres/append.ts'
import { DUE, FREED } from '../../projections/agenda/agenda.ts'
import { PROJECTED } from '../../projections/engine/apply-batch.ts'

/** What the processes signal to each other. */
export const CHANNELS: readonly string[] = [APPENDED, PROJECTED, DUE, FREED]
