import * as z from 'zod'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `5m`, `12h`: a number and a unit, parsed to milliseconds. */
export const duration = z.string().transform((value, context) => {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(value.trim()) ?? []
  const factor = unit === undefined ? undefined : UNITS[unit]
  if (amount !== undefined && factor !== undefined) return Number(amount) * factor
  context.addIssue({ code: 'custom', message: 'must be a number with a unit, such as 30s, 5m or 12h' })
  return z.NEVER
})

const SIZES: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }

/** `500MB`, `10GB`: a number and a decimal unit, parsed to bytes. */
export const size = z.string().transform((value, context) => {
  const [, amount, unit = ''] = /^(\d{1,6})(kb|mb|gb|tb)$/i.exec(value.trim()) ?? []
  const factor = SIZES[unit.toLowerCase()]
  if (amount !== undefined && factor !== undefined) return Number(amount) * factor
  context.addIssue({ code: 'custom', message: 'must be a size with a unit, such as 500MB or 10GB' })
  return z.NEVER
})

export const list = <T>(item: z.ZodType<T, string>) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item))

export const port = z.coerce.number().int().min(0).max(65_535)
export const count = z.coerce.number().int().positive()

const isUrl = (value: string, protocols: readonly string[]) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol)
const mustBegin = (protocols: readonly string[]) =>
  `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`

export const url = (...protocols: readonly string[]) =>
  z.string().refine((value) => isUrl(value, protocols), { error: mustBegin(protocols) })

/** A URL of several servers: `esdb+discover://user:password@a:2113,b:2113?tls=true`. */
export const clusterUrl = (...protocols: readonly string[]) =>
  z.string().refine((value) => isUrl(ofFirstServer(value), protocols), { error: mustBegin(protocols) })

/** The same URL without the other servers, of which no parser of URLs knows. */
export function ofFirstServer(value: string): string {
  return URL.canParse(value) ? value : value.replace(/,[^/?]*/, '')
}

/** URLs of several servers: `nats://a:4222,nats://b:4222`. */
export const urls = (...protocols: readonly string[]) =>
  list(z.string().refine((value) => isUrl(value, protocols), { error: mustBegin(protocols) }))
