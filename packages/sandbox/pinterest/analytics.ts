import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { DAY_MS, OF_ANY_PIN, OF_VIDEOS, reportOn, shownNumbers, type Metric, type Period } from './numbers.ts'
import { shown } from './pins.ts'
import { decode, invalid, namedRefusal, pinterestRefusal } from './refusal.ts'
import { authenticate, mustBeGranted } from './tokens.ts'

/** How many days back a report may start, and how many it may cover. */
const MOST_DAYS = 90

const notYours = pinterestRefusal(403, 7, 'Not authorized to access board or Pin.')

const pinQuery = z.strictObject({ pin_metrics: z.enum(['true', 'false']).default('false') })
const day = z.iso.date().transform((date) => Date.parse(date))
const reportQuery = z.strictObject({
  start_date: day,
  end_date: day,
  metric_types: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum([...OF_ANY_PIN, ...OF_VIDEOS]))),
  app_types: z.literal('ALL').default('ALL'),
  split_field: z.literal('NO_SPLIT').default('NO_SPLIT'),
})

/** `GET /pins/{id}` and `GET /pins/{id}/analytics`. The fault `metrics` applies to calls of either that request numbers. */
export function registerAnalytics(app: FastifyInstance, deps: StandInDeps): void {
  const { clock } = deps

  app.get<{ Params: { id: string } }>('/v5/pins/:id', (request, reply) => {
    const account = reader(request.headers.authorization, deps)
    const pin = ownPin(request.params.id, account, deps)
    if (decode(pinQuery, request.query).pin_metrics === 'false') return reply.send({ ...shown(pin), pin_metrics: null })
    return answer(reply, 'metrics', account, deps, notYours.answer, () => ({
      status: 200,
      body: { ...shown(pin), pin_metrics: shownNumbers(pin, clock.now()) },
    }))
  })

  app.get<{ Params: { id: string } }>('/v5/pins/:id/analytics', (request, reply) => {
    const account = reader(request.headers.authorization, deps)
    const { start_date: start, end_date: end, metric_types: metrics } = decode(reportQuery, request.query)
    const now = clock.now()
    mustBeKept({ start, end }, now)
    const pin = ownPin(request.params.id, account, deps)
    mustBeCounted(metrics, pin)
    return answer(reply, 'metrics', account, deps, notYours.answer, () => ({
      status: 200,
      body: { all: reportOn(pin, { start, end }, metrics, now) },
    }))
  })
}

function reader(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const account = authenticate(authorization, deps)
  mustBeGranted(account, ['boards:read', 'pins:read'])
  return account
}

function ownPin(id: string, { externalId }: LedgerAccount, { ledger }: StandInDeps): LedgerPost {
  const pin = ledger.post('pinterest', id)
  if (!pin) throw namedRefusal('50')
  if (pin.accountId !== externalId) throw notYours
  return pin
}

function mustBeKept({ start, end }: Period, now: number): void {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  if (start < today - MOST_DAYS * DAY_MS) throw invalid(`start_date: more than ${MOST_DAYS} days back`)
  if (end < start) throw invalid('end_date: before start_date')
  if (end > start + MOST_DAYS * DAY_MS) throw invalid(`end_date: more than ${MOST_DAYS} days past start_date`)
}

function mustBeCounted(metrics: readonly Metric[], { mediaType }: LedgerPost): void {
  const ofVideos = metrics.filter((metric) => OF_VIDEOS.some((each) => each === metric))
  if (mediaType !== 'video' && ofVideos.length > 0) throw invalid(`metric_types: ${ofVideos.join()} is of videos`)
}
