import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Meter } from './measures.ts'
import type { Tracing } from './tracing.ts'

/** Where observations go. */
export interface Watch {
  readonly meter: Meter
  readonly tracing: Tracing
  readonly logger: Logger
  readonly clock: Clock
}
