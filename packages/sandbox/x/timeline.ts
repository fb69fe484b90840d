import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { pageAfter } from '../page-after.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import { namesOf, type Naming } from './fields.ts'
import { postParameters, shownPosts } from './query.ts'
import { decode, forbidden, invalid, missing } from './refusal.ts'
import { mentionRows, ownRows, type Row } from './rows.ts'
import { strangerOf, strangerRows } from './strangers.ts'
import { authenticate } from './tokens.ts'

/** How many of the newest posts X returns. */
const REACH = { tweets: 3_200, mentions: 800 }

/** What can be excluded from an account's posts. */
const KINDS = ['retweets', 'replies']

type ById = { Params: { id: string } }
type Asked = Readonly<Record<string, unknown>> & {
  readonly max_results: number
  readonly start_time: string
  readonly end_time?: string | undefined
  readonly since_id?: string | undefined
  readonly until_id?: string | undefined
  readonly pagination_token?: string | undefined
  readonly exclude?: readonly string[]
}

/** `GET /2/users/{id}/tweets` and `/mentions`: a user's posts and what mentions the account, newest first. */
export function registerTimeline(app: FastifyInstance, naming: Naming, deps: StandInDeps): void {
  const id = z
    .string()
    .regex(/^\d{1,19}$/, 'is not an id')
    .optional()
  const usual = {
    max_results: z.coerce.number().int().min(5).max(100).default(10),
    start_time: z.iso.datetime().default('2010-11-06T00:00:00Z'),
    end_time: z.iso.datetime().optional(),
    since_id: id,
    until_id: id,
    pagination_token: z.string().optional(),
    ...postParameters(naming),
  }
  const queries: Readonly<Record<keyof typeof REACH, z.ZodType<Asked>>> = {
    tweets: z.strictObject({ ...usual, exclude: namesOf(KINDS) }),
    mentions: z.strictObject(usual),
  }
  const answer = (list: keyof typeof REACH, rows: readonly Row[], request: FastifyRequest): object => {
    const asked = decode(queries[list], request.query)
    const withoutReplies = asked.exclude?.includes('replies')
    const asIs = rows.slice(0, REACH[list]).filter((row) => isBetween(row, asked) && !(withoutReplies && row.target))
    const found = pageAfter(asIs, asked.max_results, asked.pagination_token)
    if (!found) throw invalid('pagination_token', 'is not a token of this list')
    const { page, next: next_token } = found
    const [newest] = page
    if (!newest) return { meta: { result_count: 0 } }
    const meta = {
      result_count: page.length,
      newest_id: newest.id,
      oldest_id: (page.at(-1) ?? newest).id,
      ...(next_token !== undefined && { next_token }),
    }
    return { ...shownPosts(page, asked, naming), meta }
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

function isBetween({ id, createdAt }: Row, { start_time, end_time, since_id, until_id }: Asked): boolean {
  const at = Date.parse(createdAt)
  return (
    at >= Date.parse(start_time) &&
    (end_time === undefined || at < Date.parse(end_time)) &&
    (since_id === undefined || BigInt(id) > BigInt(since_id)) &&
    (until_id === undefined || BigInt(id) < BigInt(until_id))
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
