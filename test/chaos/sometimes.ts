import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Evidence } from './evidence.ts'
import { field, grouped } from './rules/rule.ts'
import { madeAgain } from './rules/webhooks.ts'

/**
 * What a run is for: a run in which one of these never happened has not tried it.
 *
 * @returns how often each did
 */
export function sometimes(evidence: Evidence): Readonly<Record<string, number>> {
  const { history, log, outages } = evidence
  const count = (type: string) => log.filter((event) => event.type === type).length
  const posts = [...grouped(log, ({ stream }) => stream)].filter(([stream]) => stream.startsWith('post-'))
  const answered = (status: number) => history.filter((exchange) => exchange.status === status).length
  return {
    'a request got no response': history.filter(({ status }) => status === undefined).length,
    'a request was answered with 500': answered(500),
    'an idempotent response was replayed': history.filter(({ replayed }) => replayed).length,
    'a decision came too late (409)': answered(409),
    'an attempt to publish was taken over': sum(posts, ([, events]) => takenOver(events)),
    'an announced call was settled by another worker or later': sum(posts, ([, events]) => settledLater(events)),
    'the response to a visible call was lost': count('PublishAnswerLost'),
    'a call to a platform was retried': count('PublishDeferred'),
    'a user retried a failed post': count('RetryRequested'),
    'an attempt to reply was taken over or its response lost':
      count('SendAnswerLost') + repeatedStarts(log, 'SendStarted'),
    'a render was deferred or taken over': count('RenderDeferred') + repeatedStarts(log, 'RenderStarted'),
    'credits were refunded': count('CreditsRefunded'),
    'a delivery was sent again': madeAgain(evidence),
    'a recycling rule published a post': count('Recycled'),
    'Postgres was killed': outages.filter(({ kind, victim }) => kind === 'kill' && victim === 'postgres').length,
    'the NATS store was wiped': outages.filter(({ what }) => what.includes('wiped')).length,
    'a worker was paused longer than its leases': outages.filter(
      ({ kind, victim, from, to }) => kind === 'pause' && victim.startsWith('reactors') && to - from > 30_000,
    ).length,
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

const targetOf = ({ data }: RecordedEvent) => `${String(field(data, 'platform'))} ${String(field(data, 'accountId'))}`

/** started over by somebody else before there was an outcome. */
function takenOver(events: readonly RecordedEvent[]): number {
  const targets = grouped(
    events.filter(({ type }) => type.startsWith('Publish') || type.startsWith('Account')),
    targetOf,
  )
  return sum(
    [...targets.values()],
    (of) =>
      of.filter(({ type }, index) => type === 'PublishStarted' && of[index - 1]?.type === 'PublishStarted').length,
  )
}

/** No call takes longer: an outcome written later comes from a check, or from a repeat. */
const LONGEST_CALL_MS = 25_000

function settledLater(events: readonly RecordedEvent[]): number {
  const targets = grouped(
    events.filter(({ type }) => type.startsWith('Publish') || type.startsWith('Account')),
    targetOf,
  )
  return sum(
    [...targets.values()],
    (of) =>
      of.filter(({ type, metadata }, index) => {
        const before = of[index - 1]
        if (type !== 'AccountPublished' || (before?.type !== 'PublishPrepared' && before?.type !== 'PublishAnswerLost'))
          return false
        return Date.parse(metadata.at) - Date.parse(before.metadata.at) > LONGEST_CALL_MS
      }).length,
  )
}

function repeatedStarts(log: readonly RecordedEvent[], type: string): number {
  const starts = grouped(
    log.filter((event) => event.type === type),
    ({ stream, data }) => `${stream} ${String(field(data, 'part'))}`,
  )
  return sum([...starts.values()], (of) => of.length - 1)
}
