import * as z from 'zod'
import { ERROR_STATUS } from '../../../domain/core/errors.ts'
import type { Evidence, Exchange } from '../evidence.ts'
import { field, grouped, type Rule } from './rule.ts'

const isSuccess = ({ status = 0 }: Exchange) => status >= 200 && status < 300

/** What the log must hold when a write was answered with success: the stream's category, the id in the answer, one of the types. */
const WRITES: readonly {
  readonly method: string
  readonly path: RegExp
  readonly category: string
  /** Field of the answer; absent: the id is in the path. */
  readonly id?: string
  readonly types: readonly string[]
}[] = [
  { method: 'POST', path: /^\/posts$/, category: 'post', id: 'runId', types: ['PostQueued'] },
  { method: 'POST', path: /^\/posts\/scheduled$/, category: 'post', id: 'id', types: ['PostScheduled'] },
  { method: 'PATCH', path: /^\/scheduled-posts\/([^/]+)$/, category: 'post', types: ['PostRescheduled'] },
  { method: 'DELETE', path: /^\/scheduled-posts\/([^/]+)$/, category: 'post', types: ['ScheduleCancelled'] },
  { method: 'POST', path: /^\/videos$/, category: 'video', id: 'videoId', types: ['VideoRequested'] },
  { method: 'POST', path: /^\/comments\/reply$/, category: 'reply', id: 'id', types: ['ReplyOpened'] },
  { method: 'POST', path: /^\/webhooks$/, category: 'webhook', id: 'id', types: ['WebhookRegistered'] },
  { method: 'POST', path: /^\/rss-feeds$/, category: 'feed', id: 'id', types: ['FeedAdded'] },
  { method: 'POST', path: /^\/rss-feeds\/([^/]+)\/check-now$/, category: 'feed', types: ['FeedCheckRequested'] },
  { method: 'POST', path: /^\/recycling-rules$/, category: 'rule', id: 'id', types: ['RecyclingRuleAdded'] },
]

export const noLostAcknowledgement: Rule = {
  name: 'the log contains every write that was answered with success',
  broken: ({ history, log }) => {
    const types = new Map<string, Set<string>>()
    for (const { stream, type } of log) types.set(stream, (types.get(stream) ?? new Set()).add(type))
    return history.filter(isSuccess).flatMap(({ method, path, body }) => {
      const write = WRITES.find((write) => write.method === method && write.path.test(path))
      if (!write) return []
      const id = write.id === undefined ? write.path.exec(path)?.[1] : field(body, write.id)
      const stream = `${write.category}-${String(id)}`
      const found = types.get(stream)
      return write.types.some((type) => found?.has(type))
        ? []
        : [`${method} ${path} succeeded, but ${stream} has no ${write.types.join(' or ')}`]
    })
  },
}

export const oneKeyOneEffect: Rule = {
  name: 'one idempotency key has one effect and one response',
  broken: ({ history }) => {
    const repeated = history.filter((exchange) => exchange.key !== undefined && isSuccess(exchange))
    return [...grouped(repeated, ({ method, path, key }) => `${method} ${path} under "${key}"`)].flatMap(
      ([name, all]) => {
        const answers = new Set(all.map(({ status, body }) => JSON.stringify([status, withoutRequestId(body)])))
        return answers.size > 1 ? [`${name} had ${answers.size} responses: ${[...answers].join(' and ')}`] : []
      },
    )
  },
}

export const answeredAsAsked: Rule = {
  name: 'every request is eventually answered as expected',
  broken: ({ requested }) => requested.disappointments,
}

/** Each request has its own. */
function withoutRequestId(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { requestId: _, ...rest } = body as Record<string, unknown>
  return rest
}

/** How far a status is on its way. */
const PROGRESS: Readonly<Record<string, number>> = {
  ...{ draft: 0, processing: 1, published: 2, publish_failed: 2, ready: 2, failed: 2 },
}
const SHOWN_AT = /^\/(posts|videos)\/[^/?]+$/

export const noStatusGoesBack: Rule = {
  name: 'no status goes backwards, and nothing that was shown disappears',
  broken: ({ history }) => {
    const retried = grouped(
      history.filter(({ method, path }) => method === 'POST' && path.endsWith('/retry')),
      ({ path }) => path.replace(/\/retry$/, ''),
    )
    const reads = history.filter(({ method, path }) => method === 'GET' && SHOWN_AT.test(path))
    return [...grouped(reads, ({ path }) => path)].flatMap(([path, all]) => {
      let furthest: { readonly rank: number; readonly returned: number; readonly status: string } | undefined
      const broken: string[] = []
      for (const read of all.toSorted((one, other) => one.sent - other.sent)) {
        const status = read.status === 404 ? 'gone' : isSuccess(read) ? String(field(read.body, 'status')) : undefined
        if (status === undefined) continue
        const rank = PROGRESS[status] ?? -1
        const wasAskedAgain = retried.get(path)?.some(({ sent }) => sent <= read.returned)
        const isLater = furthest !== undefined && furthest.returned <= read.sent
        const isBack = furthest !== undefined && isLater && rank < furthest.rank
        if (isBack && (rank < 0 || !wasAskedAgain)) broken.push(`${path} was ${furthest?.status}, then ${status}`)
        if (rank >= (furthest?.rank ?? 0)) furthest = { rank, returned: read.returned, status }
      }
      return broken
    })
  },
}

const text = z.string().min(1)
const envelope = z.object({ error: z.object({ code: text, message: text, requestId: text }) })

function isEnvelope({ status, body }: Exchange): boolean {
  const { success, data } = envelope.safeParse(body)
  return success && new Map<string, number>(Object.entries(ERROR_STATUS)).get(data.error.code) === status
}

export const errorsInTheEnvelope: Rule = {
  name: 'every error is in the error envelope of the API',
  broken: ({ history }) =>
    history.flatMap((exchange) => {
      const { method, path, status, body } = exchange
      if (status === undefined || isSuccess(exchange) || isEnvelope(exchange)) return []
      return [`${method} ${path}: ${status} ${JSON.stringify(body)?.slice(0, 200)}`]
    }),
}

/** What is still being put right by then is counted below, by another rule. */
const RECOVERY_MS = 30_000

export const noFailureWithoutCause: Rule = {
  name: 'the server fails only during an outage, or within 30 s after it',
  broken: ({ history, outages }) =>
    history.flatMap(({ method, path, status = 0, sent, returned }) => {
      const hasCause = outages.some(({ from, to }) => from <= returned && to + RECOVERY_MS >= sent)
      return status < 500 || hasCause ? [] : [`${method} ${path}: ${status} at ${new Date(returned).toISOString()}`]
    }),
}

export const recoversInTime: Rule = {
  name: 'requests succeed again within 30 s after each outage',
  broken: (evidence) =>
    recoveries(evidence)
      .filter(({ ms }) => ms > RECOVERY_MS)
      .map(({ at, ms }) => `${ms} ms without a success after ${new Date(at).toISOString()}`),
}

/** Outages that requests can feel, those that overlap as one, and how long (ms) after each it took to the first success. */
export function recoveries({ history, outages }: Evidence): readonly { readonly at: number; readonly ms: number }[] {
  const felt = outages.filter(({ victim }) => victim === 'api' || victim === 'postgres' || victim === 'eventstoredb')
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of felt.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  const successes = history
    .filter(isSuccess)
    .map(({ returned }) => returned)
    .toSorted((one, other) => one - other)
  return merged.flatMap(({ to }, index) => {
    const next = merged[index + 1]?.from
    const first = successes.find((at) => at >= to)
    if (first !== undefined && (next === undefined || first <= next)) return [{ at: to, ms: first - to }]
    if (next === undefined) return [{ at: to, ms: Infinity }]
    // The next one came before it could recover.
    return next - to > RECOVERY_MS ? [{ at: to, ms: next - to }] : []
  })
}
