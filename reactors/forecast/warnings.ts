import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import type { ForecastEntry, ForecastRequest } from '../../domain/post/forecast.ts'
import { dueAtMoment } from '../../domain/post/wall-time.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { MaintenanceWindow } from '../../infra/runtime/maintenance-settings.ts'
import { PACE_DAYS, type Planned } from './planned.ts'

/** What is known without trying. */
export function warningsOf(
  planned: Planned,
  maintenance: readonly MaintenanceWindow[],
  request: ForecastRequest,
): readonly ForecastEntry[] {
  return [
    ...announced(maintenance, request),
    ...endingAccess(planned, request),
    ...movedByClockChange(planned),
    ...busyFeeds(planned, request),
  ]
}

function announced(
  maintenance: readonly MaintenanceWindow[],
  { now, until }: ForecastRequest,
): readonly ForecastEntry[] {
  return maintenance
    .filter((window) => window.until > now && window.from < until)
    .map((window) => ({
      at: isoTime(Math.max(now, window.from)),
      kind: 'warning',
      postIds: [],
      sentence: 'Maintenance: no post is published until it ends.',
      until: isoTime(window.until),
    }))
}

function endingAccess({ accounts, accessEnds }: Planned, { now, until }: ForecastRequest): readonly ForecastEntry[] {
  return accounts.flatMap(({ id: accountId, platform, label }) => {
    const end = accessEnds.get(accountId)
    if (end === undefined || end <= now || end > until) return []
    const sentence = `The access to ${PLATFORM_NAMES[platform]} as ${label} ends. Connect the account again before then.`
    return [{ at: isoTime(end), kind: 'warning', platform, accountId, postIds: [], sentence }]
  })
}

/** A local time that clocks skip when they go forward. */
function movedByClockChange({ scheduled }: Planned): readonly ForecastEntry[] {
  return scheduled.flatMap(({ id, dueAt, date, time, timezone }) => {
    const real = dueAtMoment(dueAt, timezone)
    if (real.time === time) return []
    const sentence = `The clocks go forward: there is no ${time} on ${date} in ${timezone}, so the post is due at ${real.time}.`
    return [{ at: dueAt, kind: 'warning', postIds: [id], sentence }]
  })
}

/** Their next items are not known, but how many there were. The address may hold a secret of the feed's reader. */
function busyFeeds({ feeds }: Planned, { now }: ForecastRequest): readonly ForecastEntry[] {
  return feeds.map(({ url, posted }) => {
    const posts = posted === 1 ? 'one post' : `${posted} posts`
    const sentence = `The feed of ${new URL(url).host} made ${posts} in the last ${PACE_DAYS} days. Its next ones are not in this forecast.`
    return { at: isoTime(now), kind: 'warning', postIds: [], sentence }
  })
}
