import { Refusal } from '../../domain/core/errors.ts'
import { streamName } from '../../domain/core/event.ts'
import type { Projection, Row } from '../../projections/engine/projection.ts'
import { rowAt } from '../../projections/engine/row-at.ts'
import type { Services } from './services.ts'

/**
 * A resource's row as of a time, or as it is now when no time is given.
 *
 * @param at ISO 8601 UTC with milliseconds
 * @throws Refusal not_found when it did not exist then
 */
export async function asItWas<R extends Row>(
  { log }: Pick<Services, 'log'>,
  of: { readonly projection: Projection<R>; readonly kind: { readonly category: string }; readonly noun: string },
  row: R,
  at: string | undefined,
): Promise<R> {
  if (at === undefined) return row
  const then = await rowAt(log, of.projection, streamName(of.kind, row.id), row.id, at)
  if (then) return then
  throw new Refusal('not_found', `This ${of.noun} did not exist at ${at}.`)
}
