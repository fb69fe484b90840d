import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { pageOf, pageQuery } from './page.ts'
import { accountsOf, locationsOf } from './places.ts'
import { decodeQuery, invalid, NAMED } from './refusal.ts'
import { authenticate } from './tokens.ts'

const FIELDS = ['name', 'title', 'languageCode', 'storefrontAddress', 'metadata'] as const

const accountsQuery = z.strictObject(pageQuery(20, 20))
/** Each path, `metadata.placeId`, as its keys. */
const readMask = z
  .string()
  .transform((mask) => mask.split(',').map((path) => path.split('.')))
  .pipe(z.array(z.tuple([z.enum(FIELDS)], z.string())))
const locationQuery = z.strictObject({ readMask })
const locationsQuery = z.strictObject({ ...pageQuery(10, 100), readMask })

/** `GET /v1/accounts` and `GET /v1/accounts/{id}/locations`, one item per page, and single ones of both. */
export function registerPlaces(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v1/accounts', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    return reply.send(pageOf('accounts', accountsFor(account), decodeQuery(accountsQuery, request.query), 1))
  })

  app.get<{ Params: { id: string } }>('/v1/accounts/:id', (request, reply) => {
    const accounts = accountsFor(authenticate(request.headers.authorization, deps))
    decodeQuery(z.strictObject({}), request.query)
    const found = accounts.find(({ name }) => name === `accounts/${request.params.id}`)
    if (!found) throw NAMED.denied
    return reply.send(found)
  })

  app.get<{ Params: { id: string } }>('/v1/accounts/:id/locations', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { readMask: mask, ...page } = decodeQuery(locationsQuery, request.query)
    const [personal, business] = accountsOf(account.externalId)
    const asked = `accounts/${request.params.id}`
    if (![personal, business, ALL].includes(asked)) throw NAMED.denied
    const locations = (asked === personal ? [] : locationsOf(account)).map((each) => masked(each, mask))
    return reply.send(pageOf('locations', locations, page, 1))
  })

  app.get<{ Params: { id: string } }>('/v1/locations/:id', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { readMask: mask } = decodeQuery(locationQuery, request.query)
    const found = locationsOf(account).find(({ name }) => name === `locations/${request.params.id}`)
    if (!found) throw NAMED.denied
    return reply.send(masked(found, mask))
  })
}

/** In place of an account: all of the user's. */
const ALL = 'accounts/-'

function accountsFor({ externalId, label: accountName }: LedgerAccount) {
  const [personal, business] = accountsOf(externalId)
  return [
    { name: personal, accountName, type: 'PERSONAL', role: 'PRIMARY_OWNER' },
    { name: business, accountName, type: 'LOCATION_GROUP', role: 'PRIMARY_OWNER' },
  ]
}

function masked({ name, title }: { name: string; title: string }, mask: z.infer<typeof readMask>): object {
  const id = name.slice('locations/'.length)
  const whole: Readonly<Record<(typeof FIELDS)[number], string | Readonly<Record<string, unknown>>>> = {
    name,
    title,
    languageCode: 'en',
    storefrontAddress: { regionCode: 'GB', addressLines: ['1 High Street'] },
    metadata: { placeId: `place${id}`, mapsUri: mapsUri(name), hasVoiceOfMerchant: true },
  }
  const shown: Record<string, unknown> = {}
  for (const [field, key, ...deeper] of mask) {
    const value = whole[field]
    if (key === undefined) shown[field] = value
    else if (typeof value === 'string' || !(key in value) || deeper.length > 0)
      throw invalid(`read_mask: ${field}.${key}`)
    else shown[field] = { ...Object(shown[field]), [key]: value[key] }
  }
  return shown
}

function mapsUri(location: string): string {
  return `https://maps.google.com/maps?cid=${location.slice('locations/'.length)}`
}
