import { metrics } from '../../domain/analytics/post-metrics.ts'
import { comment } from '../../domain/conversation/comment.ts'
import { reply } from '../../domain/conversation/reply.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { isBilling, type BillingPlatform } from '../../domain/core/platform.ts'
import { finalText } from '../../domain/post/caption.ts'
import { post } from '../../domain/post/post.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { integer, text, time, type RowOf } from '../engine/columns.ts'
import type { Projection } from '../engine/projection.ts'

/** `comment`: one was received. `metrics`: those of a post were read, once or more often on a day (UTC). */
export type Work = 'post' | 'first-comment' | 'reply' | 'comment' | 'metrics'

const columns = {
  id: text(),
  workspaceId: text(),
  platform: text<BillingPlatform>(),
  accountId: text(),
  work: text<Work>(),
  /** The id of the post, reply or comment, or of its metrics. */
  subject: text(),
  /** Of a chain, from 1. Null for anything else. */
  part: integer<number | null>(),
  /** Only of a first comment, which is in no other read model. */
  text: text<string | null>(),
  at: time(),
}
/** One use of a platform that charges for it. */
export type BilledWorkRow = RowOf<typeof columns>

export const billedWork: Projection<BilledWorkRow> = {
  name: 'billed_work',
  version: 3,
  columns,
  // Each row is what its last event says.
  createsRow: () => true,
  indexes: ['(at)'],
  rowIds: (recorded) => {
    const done = workIn(recorded)
    return done ? [idOf(done, recorded)] : []
  },
  apply: (_before, recorded, id) => {
    const done = workIn(recorded)
    return done && { id, ...done, at: recorded.metadata.at }
  },
}

function workIn(recorded: RecordedEvent): Omit<BilledWorkRow, 'id' | 'at'> | undefined {
  const subject = parseStreamName(recorded.stream).id
  const found = (
    work: Work,
    data: { platform: string; accountId: string; workspaceId?: string | undefined },
    part: number | null = null,
    sent: string | null = null,
  ) => {
    const { platform, accountId, workspaceId } = data
    // An event of an earlier version names no workspace, and nothing could erase its row together with the workspace.
    if (workspaceId === undefined || !isBilling(platform)) return undefined
    return { workspaceId, platform, accountId, work, subject, part, text: sent }
  }
  const published = eventOf(post, recorded)
  if (published?.type === 'AccountPublished')
    return found('post', published.data, published.data.chain?.published.length)
  if (published?.type === 'FirstCommentPosted')
    return found('first-comment', published.data, null, published.data.text ?? '')
  const replied = eventOf(reply, recorded)
  if (replied?.type === 'ReplySent') return found('reply', replied.data)
  const received = eventOf(comment, recorded)
  if (received?.type === 'CommentReceived') return found('comment', received.data)
  const captured = eventOf(metrics, recorded)
  return captured?.type === 'MetricsCaptured' ? found('metrics', captured.data) : undefined
}

function idOf(
  { work, subject, accountId, part }: Omit<BilledWorkRow, 'id' | 'at'>,
  { metadata }: RecordedEvent,
): string {
  if (work === 'post') return [work, subject, accountId, ...(part === null ? [] : [part])].join('/')
  if (work === 'first-comment') return [work, subject, accountId].join('/')
  return work === 'metrics' ? `${work}/${subject}/${metadata.at.slice(0, 10)}` : `${work}/${subject}`
}

/** Work of the same kind for accounts at the same address. */
export interface WorkDone {
  readonly platform: BillingPlatform
  readonly baseUrl: string | undefined
  readonly work: Work
  /** Of a post, a first comment or a reply. */
  readonly text: string
  readonly count: number
}

interface Span {
  /** ISO 8601 UTC. */
  readonly from: string
  readonly until: string
  /** Absent: all. */
  readonly workspaceId: string | undefined
}

/** The work in a span of time. Each post and each reply is on its own. */
export async function workDone(db: Database, { from, until, workspaceId }: Span): Promise<readonly WorkDone[]> {
  const { rows } = await db.query<
    Omit<WorkDone, 'text' | 'baseUrl'> & {
      readonly base_url: string | null
      readonly sent: string | null
      readonly reply: string | null
      readonly chained: string | null
      readonly caption: string | null
      readonly caption_overrides: Readonly<Record<string, string>> | null
      readonly hashtags: string[] | null
    }
  >(
    `with done as (
       select b.platform, a.base_url, b.work, b.part, b.text, case when b.work in ('post', 'reply') then b.subject end as subject,
         count(*)::int as count
       from read.billed_work b join read.accounts a on a.id = b.account_id
       where b.at >= $1 and b.at < $2 and ($3::text is null or a.workspace_id = $3) group by 1, 2, 3, 4, 5, 6
     )
     select d.platform, d.base_url, d.work, d.count, d.text as sent, r.draft as reply, coalesce(p.chain -> d.part - 2 -> 'textOverrides' ->> d.platform, p.chain -> d.part - 2 ->> 'text') as chained,
       p.caption, p.caption_overrides, p.hashtags
     from done d
       left join read.posts p on d.work = 'post' and p.id = d.subject
       left join read.replies r on d.work = 'reply' and r.id = d.subject`,
    [from, until, workspaceId ?? null],
  )
  return rows.map(({ platform, base_url, work, count, ...texts }) => {
    const { sent: own, reply, chained, caption, caption_overrides: captionOverrides, hashtags } = texts
    const sent = { caption: caption ?? '', captionOverrides: captionOverrides ?? {}, hashtags: hashtags ?? [] }
    return {
      platform,
      baseUrl: base_url ?? undefined,
      work,
      count,
      text: own ?? reply ?? chained ?? finalText(sent, platform),
    }
  })
}
