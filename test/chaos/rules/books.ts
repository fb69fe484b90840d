import { parseStreamName } from '../../../domain/core/event.ts'
import type { ShownVideo } from '../evidence.ts'
import { field, grouped, type Rule } from './rule.ts'

export const creditsAddUp: Rule = {
  name: 'credits: granted = balance + charged - refunded, never below 0, and a video is charged and refunded at most once',
  broken: ({ log, ledger, balance }) => {
    const broken: string[] = []
    let sum = 0
    for (const { type, data } of log.filter(({ stream }) => parseStreamName(stream).category === 'credits')) {
      if (type !== 'CreditsClosed') sum += (type === 'CreditsCharged' ? -1 : 1) * Number(field(data, 'amount'))
      if (sum < 0 || sum !== field(data, 'balance'))
        broken.push(`${type}: the balance is ${String(field(data, 'balance'))}, but the sum is ${sum}`)
    }
    if (balance !== sum) broken.push(`GET /credits says ${balance}, the log ${sum}`)
    let shown = 0
    for (const entry of ledger) {
      shown += (entry.kind === 'charged' ? -1 : 1) * entry.amount
      if (shown !== entry.balance)
        broken.push(
          `the ledger says ${entry.balance} after ${entry.kind} ${entry.videoId ?? ''}, but the sum is ${shown}`,
        )
    }
    const moved = ledger.filter(({ videoId }) => videoId !== undefined)
    for (const [what, entries] of grouped(moved, ({ kind, videoId }) => `${videoId} was ${kind}`)) {
      if (entries.length > 1) broken.push(`${what} ${entries.length} times`)
    }
    return broken
  },
}

export const videosSettle: Rule = {
  name: 'each video ends as its prompt asks, is charged once and refunded if it failed, and no clip is started twice',
  broken: ({ requested, videos, ledger, jobs }) => {
    const shown = new Map(videos.map((video) => [video.id, video]))
    const entries = new Set(ledger.map(({ videoId, kind }) => `${videoId} ${kind}`))
    return [
      ...[...requested.videos].flatMap(([id, end]) => [
        ...(shown.get(id)?.status === end ? [] : [`${id} is ${saidOf(shown.get(id))}, not ${end}`]),
        ...(entries.has(`${id} charged`) ? [] : [`${id} was not charged`]),
        ...(entries.has(`${id} refunded`) === (end === 'failed')
          ? []
          : [`${id} was ${end === 'failed' ? 'not ' : ''}refunded`]),
      ]),
      ...[...grouped(jobs, ({ prompt }) => prompt)]
        .filter(([, of]) => of.length > 1)
        .map(([prompt]) => `"${prompt}" was started twice`),
    ]
  },
}

const saidOf = (video: ShownVideo | undefined) => (video ? `${video.status} (${video.statusMessage})` : 'missing')

export const auditClean: Rule = {
  name: 'the audit of the log finds nothing: no gap, no malformed event, no outcome without its intent',
  broken: ({ audit }) => audit.faults,
}

export const modelsEqualRebuild: Rule = {
  name: 'every read model equals a rebuild from the log',
  broken: ({ differing }) => differing,
}

export const nobodyEndsUnasked: Rule = {
  name: 'no process exits on its own',
  broken: ({ endedThemselves }) => endedThemselves,
}
