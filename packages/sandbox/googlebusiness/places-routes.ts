import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { pageOf, pageQuery } from './page.ts'
import { accountsOf, locationsOf } from './places.ts'
import { decode, NAMED } from './refusal.ts'
import { authenticate } from './tokens.ts'

const FIELDS = ['name', 'title', 'languageCode', 'storefrontAddress', 'metadata'] as const

const accountsQuery = z.strictObject(pageQuery(20, 20))
const locationsQuery = z.strictObject({
  ...pageQuery(10, 100),
  readMask: z
    .string()
    .transform((mask) => mask.split(','))
    .pipe(z.array(z.enum(FIELDS))),
})

/** `GET /v1/accounts` and `GET /v1/accounts/{id}/locations`, one item per page. */
export function registerPlaces(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v1/accounts', (request, reply) => {
    const { externalId, label } = authenticate(request.headers.authorization, deps)
    const [personal, business] = accountsOf(externalId)
    const accounts = [
      { name: personal, accountName: label, type: 'PERSONAL', role: 'PRIMARY_OWNER' },
      { name: business, accountName: label, type: 'LOCATION_GROUP', role: 'PRIMARY_OWNER' },
    ]
    return reply.send(pageOf('accounts', accounts, decode(accountsQuery, request.query), 1))
  })

  app.get<{ Params: { id: string } }>('/v1/accounts/:id/locations', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { readMask, ...page } = decode(locationsQuery, request.query)
    const [personal, business] = accountsOf(account.externalId)
    const asked = `accounts/${request.params.id}`
    if (asked !== personal && asked !== business) throw NAMED.denied
    const locations = (asked === business ? locationsOf(account) : []).map(({ name, title }) => {
      const id = name.slice('locations/'.length)
      const whole = {
        name,
        title,
        languageCode: 'en',
        storefrontAddress: { regionCode: 'GB', addressLines: ['1 High Street'] },
        metadata: { placeId: `place${id}`, mapsUri: mapsUri(name), hasVoiceOfMerchant: true },
      }
      return Object.fromEntries(readMask.map((field) => [field, whole[field]]))
    })
    return reply.send(pageOf('locations', locations, page, 1))
  })
}

function mapsUri(location: string): string {
  return `https://maps.google.com/maps?cid=${location.slice('locations/'.length)}`
}
