import type * as z from 'zod'
import { ownParameters } from '../google/own-parameters.ts'
import { decodeOr } from '../stand-in-refusal.ts'
import { googleRefusal } from './refusal.ts'

const PART = { location: 'part', locationType: 'parameter' }
const FILTER = { domain: 'youtube.parameter', location: 'parameters.', locationType: 'other' }

/**
 * Parses the query of a call, without the parameters that all of Google's APIs have.
 *
 * @param filters what the call selects by: exactly one of these is required
 * @throws StandInRefusal 400
 */
export function decodeQuery<T>(schema: z.ZodType<T>, query: unknown, filters: readonly string[] = []): T {
  const own = ownParameters(query)
  const given = filters.filter((name) => own[name] !== undefined)
  if (filters.length > 0 && given.length === 0) {
    const message = `No filter selected. Expected one of: ${filters.join(', ')}`
    throw googleRefusal(400, 'missingRequiredParameter', message, FILTER)
  }
  if (given.length > 1) {
    const message = `Incompatible parameters specified in the request: ${given.join(', ')}`
    throw googleRefusal(400, 'incompatibleParameters', message, FILTER)
  }
  return decodeOr(schema, own, ({ issues: [first] }) => {
    const [name = 'request', index] = first?.path ?? []
    const message = first?.message ?? 'invalid'
    if (name !== 'part') return googleRefusal(400, 'badRequest', `${String(name)}: ${message}`)
    if (index === undefined) return googleRefusal(400, 'required', 'Required parameter: part', PART)
    return googleRefusal(400, 'unknownPart', message, { ...PART, domain: 'youtube.part' })
  })
}
