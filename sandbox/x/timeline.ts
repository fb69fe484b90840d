import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { FAMILIES, shown, type Naming } from './fields.ts'
import { decode, forbidden, invalid } from './refusal.ts'
import { mentionRows, ownRows, type Row } from './rows.ts'
import { authenticate } from './tokens.ts'

/** How many of the newest X shows. */
const REACH = { tweets: 3_200, mentions: 800 }

type ById = { Params: { id: string } }

/** `GET /2/users/{id}/tweets` and `/mentions`: what the account wrote and what names it, the newest first. */
export function registerTimeline(app: FastifyInstance, naming: Naming, deps: StandInDeps): void {
  const { parameter, fields, expansions } = FAMILIES[naming]
  const usual = {
    max_results: z.coerce.number().int().min(5).max(100).default(10),
    start_time: z.iso.datetime().default('2010-11-06T00:00:00Z'),
    pagination_token: z.string().optional(),
    [parameter]: namesOf(fields),
    expansions: namesOf(expansions),
  }
  const queries = {
    tweets: z.strictObject({ ...usual, exclude: z.literal('retweets').optional() }),
    mentions: z.strictObject({ ...usual, 'user.fields': z.literal('name,username').optional() }),
  }
  const answer = (list: 'tweets' | 'mentions', rows: readonly Row[], request: FastifyRequest): object => {
    const asked = decode(queries[list], request.query)
    const { [parameter]: fieldNames }: Readonly<Record<string, unknown>> = asked
    const since = Date.parse(asked.start_time)
    const inTime = rows.slice(0, REACH[list]).filter(({ createdAt }) => Date.parse(createdAt) >= since)
    const { page, next_token } = pageOf(inTime, asked.max_results, asked.pagination_token)
    const meta = { result_count: page.length, ...(next_token !== undefined && { next_token }) }
    if (page.length === 0) return { meta }
    const names = [...z.array(z.string()).parse(fieldNames), ...asked.expansions]
    const data = page.map((row) => shown(row, names, FAMILIES[naming]))
    const users = [...new Map(page.map(({ author }) => [author.id, author])).values()]
    return { data, ...(asked.expansions.includes('author_id') && { includes: { users } }), meta }
  }

  app.get<ById>('/2/users/:id/tweets', (request) => answer('tweets', ownRows(owner(request, deps), deps), request))
  app.get<ById>('/2/users/:id/mentions', (request) =>
    answer('mentions', mentionRows(owner(request, deps), deps), request),
  )
}

function namesOf(known: Readonly<Record<string, unknown>>) {
  const split = (given: string): readonly string[] => given.split(',').filter((name) => name !== '')
  const isKnown = (given: string): boolean => split(given).every((name) => Object.hasOwn(known, name))
  return z
    .string()
    .default('')
    .refine(isKnown, `is not of ${Object.keys(known).join(', ')}`)
    .transform(split)
}

/** @throws XRefusal */
function owner({ headers, params }: FastifyRequest<ById>, deps: StandInDeps): LedgerAccount {
  const account = authenticate(headers.authorization, deps)
  if (account.externalId !== params.id) throw forbidden('The sandbox shows an account what is its own only.')
  return account
}

/** The token names the last post that was shown, so that nothing shifts when new ones come. */
function pageOf(rows: readonly Row[], count: number, token: string | undefined) {
  const last = token === undefined ? -1 : rows.findIndex(({ id }) => tokenOf(id) === token)
  if (token !== undefined && last === -1) throw invalid('pagination_token', 'is not a token of this list')
  const page = rows.slice(last + 1, last + 1 + count)
  const [end] = page.slice(-1)
  const hasMore = last + 1 + count < rows.length
  return { page, next_token: hasMore && end ? tokenOf(end.id) : undefined }
}

function tokenOf(id: string): string {
  return Buffer.from(`after ${id}`).toString('base64url')
}
