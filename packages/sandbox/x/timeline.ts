import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { pageAfter } from '../page-after.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import { FAMILIES, namesOf, shown, type Naming } from './fields.ts'
import { decode, forbidden, invalid, missing } from './refusal.ts'
import { mentionRows, ownRows, type Row } from './rows.ts'
import { strangerOf, strangerRows } from './strangers.ts'
import { authenticate } from './tokens.ts'

/** How many of the newest posts X returns. */
const REACH = { tweets: 3_200, mentions: 800 }

/** What can be excluded from an account's posts. */
const KINDS = { retweets: true, replies: true }

type ById = { Params: { id: string } }
type Asked = {
  readonly max_results: number
  readonly start_time: string
  readonly pagination_token?: string | undefined
  readonly expansions: readonly string[]
  readonly exclude?: readonly string[]
}

/** `GET /2/users/{id}/tweets` and `/mentions`: a user's posts and what mentions the account, newest first. */
export function registerTimeline(app: FastifyInstance, naming: Naming, deps: StandInDeps): void {
  const { parameter, fields, expansions } = FAMILIES[naming]
  const usual = {
    max_results: z.coerce.number().int().min(5).max(100).default(10),
    start_time: z.iso.datetime().default('2010-11-06T00:00:00Z'),
    pagination_token: z.string().optional(),
    [parameter]: namesOf(fields),
    expansions: namesOf(expansions),
  }
  const queries: Readonly<Record<keyof typeof REACH, z.ZodType<Asked>>> = {
    tweets: z.strictObject({ ...usual, exclude: namesOf(KINDS) }),
    mentions: z.strictObject({ ...usual, 'user.fields': z.literal('name,username').optional() }),
  }
  const answer = (list: keyof typeof REACH, rows: readonly Row[], request: FastifyRequest): object => {
    const asked = decode(queries[list], request.query)
    const { [parameter]: fieldNames }: Readonly<Record<string, unknown>> = asked
    const since = Date.parse(asked.start_time)
    const withoutReplies = asked.exclude?.includes('replies')
    const inTime = rows
      .slice(0, REACH[list])
      .filter(({ createdAt, target }) => Date.parse(createdAt) >= since && !(withoutReplies && target))
    const found = pageAfter(inTime, asked.max_results, asked.pagination_token)
    if (!found) throw invalid('pagination_token', 'is not a token of this list')
    const { page, next: next_token } = found
    const meta = { result_count: page.length, ...(next_token !== undefined && { next_token }) }
    if (page.length === 0) return { meta }
    const names = [...z.array(z.string()).parse(fieldNames), ...asked.expansions]
    const data = page.map((row) => shown(row, names, FAMILIES[naming]))
    const users = [...new Map(page.map(({ author }) => [author.id, author])).values()]
    return { data, ...(asked.expansions.includes('author_id') && { includes: { users } }), meta }
  }

  app.get<ById>('/2/users/:id/tweets', (request, reply) => {
    const { id } = request.params
    const account = authenticate(request.headers.authorization, deps)
    const rows = rowsOf(id, deps)
    const body = answer('tweets', rows ?? [], request)
    if (id === account.externalId) return reply.send(body)
    return answerX(reply, 'metrics', account, deps, () => ({
      status: 200,
      body: rows ? body : { errors: [missing('user', 'id', id)] },
    }))
  })
  app.get<ById>('/2/users/:id/mentions', (request) =>
    answer('mentions', mentionRows(owner(request, deps), deps), request),
  )
}

function rowsOf(id: string, deps: StandInDeps): readonly Row[] | undefined {
  if (!/^\d{1,19}$/.test(id)) throw invalid('id', 'is not an id')
  const account = deps.ledger.account('x', id)
  if (account) return ownRows(account, deps)
  const author = strangerOf(id)
  return author && strangerRows(author, deps)
}

/** @throws StandInRefusal */
function owner({ headers, params }: FastifyRequest<ById>, deps: StandInDeps): LedgerAccount {
  const account = authenticate(headers.authorization, deps)
  if (account.externalId !== params.id) throw forbidden('The sandbox shows an account only its own mentions.')
  return account
}
