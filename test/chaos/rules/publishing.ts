import type { RecordedEvent } from '../../../domain/core/event.ts'
import type { Evidence } from '../evidence.ts'
import { field, grouped, type Rule } from './rule.ts'

/** Posts in the log by platform and caption: how many were queued there, and how many the log says are published. */
function byLog(log: readonly RecordedEvent[]) {
  const queued = new Map<string, number>()
  const published = new Map<string, number>()
  const captions = new Map<string, string>()
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { stream, type, data } of log) {
    if (type === 'PostQueued') {
      captions.set(stream, String(field(data, 'caption')))
      const isRecycled = field(data, 'origin') === 'recycling'
      for (const platform of Object.keys(field(data, 'selections') ?? {})) {
        const where = place(platform, captions.get(stream))
        // All that are no recycled ones have captions of their own: of two with one caption one should not be.
        if (isRecycled || !queued.has(where)) count(queued, where)
      }
    }
    if (type === 'AccountPublished') count(published, place(String(field(data, 'platform')), captions.get(stream)))
  }
  return { queued, published }
}

const place = (platform: string, caption: string | undefined) => `${caption} on ${platform}`
const liveByPlace = ({ live }: Evidence) => grouped(live, ({ platform, caption }) => place(platform, caption))

/** A post that was queued once, as each is but those that recycle another, is live once at most. */
export const noDuplicatePost: Rule = {
  name: 'no post is live more often than it was queued',
  broken: (evidence) => {
    const { queued } = byLog(evidence.log)
    return [...liveByPlace(evidence)].flatMap(([where, live]) => {
      const wanted = queued.get(where) ?? 0
      return live.length > wanted ? [`${where} is live ${live.length} times, but was queued ${wanted} times`] : []
    })
  },
}

export const noLostPost: Rule = {
  name: 'every accepted post is live on each of its accounts, and shown as published',
  broken: (evidence) => {
    const live = liveByPlace(evidence)
    const shown = grouped(evidence.posts, ({ caption }) => caption)
    return [...evidence.requested.posts].flatMap(([caption, platforms]) => [
      ...platforms
        .filter((platform) => !live.has(place(platform, caption)))
        .map((on) => `${place(on, caption)} is not live`),
      ...(shown.get(caption)?.[0]?.status === 'published'
        ? []
        : [`${caption} is shown as ${shown.get(caption)?.[0]?.status ?? 'nothing'}`]),
    ])
  },
}

export const logTellsWhatIsLive: Rule = {
  name: 'the log says published for exactly the posts that are live',
  broken: (evidence) => {
    const { published } = byLog(evidence.log)
    const live = liveByPlace(evidence)
    return [...new Set([...published.keys(), ...live.keys()])].flatMap((where) => {
      const [said, there] = [published.get(where) ?? 0, live.get(where)?.length ?? 0]
      return said === there ? [] : [`${where}: published ${said} times according to the log, live ${there} times`]
    })
  },
}

export const cancelledStaysUnsent: Rule = {
  name: 'a scheduled post whose cancellation was answered with 204 is not published',
  broken: (evidence) => {
    const live = new Set(evidence.live.map(({ caption }) => caption))
    return evidence.requested.cancelled.filter((caption) => live.has(caption)).map((caption) => `${caption} is live`)
  },
}

export const firstCommentsOnce: Rule = {
  name: 'a first comment exists once under each post that requested it',
  broken: ({ requested, comments, live }) => {
    const there = grouped(
      comments.filter(({ writtenBy, inReplyTo }) => writtenBy === 'account' && inReplyTo === undefined),
      ({ platform, text }) => place(platform, text),
    )
    // A post that recycles another has its first comment too.
    const posts = grouped(live, ({ platform, caption }) => place(platform, `first ${caption}`))
    const wanted = [...requested.firstComments].flatMap(([caption, platforms]) =>
      platforms.map((platform) => place(platform, `first ${caption}`)),
    )
    return [
      ...wanted.filter((where) => !there.has(where)).map((where) => `${where} is missing`),
      ...[...there]
        .filter(([where, found]) => found.length > (posts.get(where)?.length ?? 0))
        .map(([where, found]) => `${where} exists ${found.length} times`),
    ]
  },
}

export const recycledOnce: Rule = {
  name: 'a post is republished once each time that its rule was asked to',
  broken: (evidence) => {
    const turns = grouped(
      evidence.log.filter(({ type }) => type === 'Recycled'),
      ({ stream }) => stream,
    )
    const live = liveByPlace(evidence)
    return [...evidence.requested.recycled].flatMap(([caption, { platform, rule, times }]) => {
      const where = place(platform, caption)
      const made = turns.get(`rule-${rule}`)?.length ?? 0
      const there = live.get(where)?.length ?? 0
      return [
        ...(made === times ? [] : [`${rule} was asked ${times} times, but published ${made} times`]),
        // With the post that it publishes again.
        ...(there === times + 1 ? [] : [`${where} is live ${there} times, not ${times + 1}`]),
      ]
    })
  },
}

export const repliesOnce: Rule = {
  name: 'every comment is received, and answered at most once; every accepted reply is published',
  broken: ({ requested, comments, log, replies }) => {
    const fanText = new Map(comments.filter(({ writtenBy }) => writtenBy === 'fan').map(({ id, text }) => [id, text]))
    const answers = grouped(
      comments.filter(({ writtenBy, inReplyTo }) => writtenBy === 'account' && inReplyTo !== undefined),
      ({ inReplyTo }) => fanText.get(inReplyTo ?? '') ?? `a comment that nobody wrote (${inReplyTo})`,
    )
    const received = new Map<string, number>()
    for (const { type, data } of log) {
      const text = String(field(data, 'text'))
      if (type === 'CommentReceived') received.set(text, (received.get(text) ?? 0) + 1)
    }
    return [
      ...requested.comments
        .filter((text) => received.get(text) !== 1)
        .map((text) => `${text} was received ${received.get(text) ?? 0} times`),
      ...[...answers]
        .filter(([, sent]) => sent.length > 1)
        .map(([text, sent]) => `${text} was answered ${sent.length} times`),
      ...[...requested.answered].filter((text) => !answers.has(text)).map((text) => `${text} was not answered`),
      ...replies.filter(({ status }) => status === 'failed').map(({ id }) => `${id} failed`),
    ]
  },
}

export const nothingStuck: Rule = {
  name: 'everything has settled 2 minutes after the last request, or once the platform reliably shows it',
  broken: ({ stuck }) => stuck.map((what) => `${what} had not settled`),
}
