import * as z from 'zod'

const query = z.record(z.string(), z.unknown())

/** The query of a call without the parameters that all of Google's APIs have. Only JSON can be asked for. */
export function ownParameters(given: unknown): Readonly<Record<string, unknown>> {
  const { prettyPrint: _, quotaUser: __, key: ___, ...own } = query.parse(given)
  const { alt, ...others } = own
  return alt === 'json' ? others : own
}
