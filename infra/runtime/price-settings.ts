import * as z from 'zod'

/** What the operator pays a platform, in US dollars, by kind. */
export type Prices = Readonly<Record<string, number>>

/** `50`, `12.50`: US dollars, more than nothing. */
export const budget = z
  .string()
  .regex(/^\d{1,7}(?:\.\d{1,2})?$/, { error: 'must be an amount in US dollars, such as 50 or 12.50' })
  .transform(Number)
  .refine((usd) => usd > 0, { error: 'must be more than 0' })

/** `post=0.015,post_read=0.001`: a price in US dollars for each kind. */
export const prices = z.string().transform((value, context): Prices => {
  const pairs = value.split(',').map((pair) => /^\s*([a-z_]+)=(\d{1,4}(?:\.\d{1,6})?)\s*$/.exec(pair))
  if (pairs.every((pair) => pair !== null)) {
    return Object.fromEntries(pairs.map(([, kind, price]) => [kind, Number(price)]))
  }
  context.addIssue({ code: 'custom', message: 'must be prices in US dollars, such as post=0.015,post_read=0.001' })
  return z.NEVER
})
