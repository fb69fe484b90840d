import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { useSession } from '../../client/queries.ts'
import type { ScheduledPost } from '../../client/types.ts'
import { PlatformIcons } from '../../parts/platform-icon.tsx'
import { approvalAwaited, Card, Loading, Problem, Thumb } from '../../parts/shown.tsx'
import { addDays, dayOf, startOf, timeOfDay, today } from '../../parts/time.ts'
import { locale } from '../../parts/words.ts'
import { MissingMedia } from '../post/missing-media.tsx'

const DAYS = 7
/** Of each day; the calendar has the rest. */
const SHOWN = 4
/** More than a page of the API never has. */
const AT_ONCE = 100

const name = new Intl.DateTimeFormat(locale(), { weekday: 'short', day: 'numeric', month: 'short' })
const whole = new Intl.DateTimeFormat(locale(), { dateStyle: 'full' })

/** The scheduled posts of the next days, in the user's zone. */
export function NextDays() {
  const first = today()
  const days = Array.from({ length: DAYS }, (_, index) => addDays(first, index))
  const posts = useQuery({ queryKey: ['scheduled-post', 'next-days', first], queryFn: () => readDays(days) })
  return (
    <Card
      title={t`Next 7 days`}
      action={
        <Link to="/calendar">
          <Trans>Calendar</Trans>
        </Link>
      }
    >
      {posts.isPending && <Loading lines={2} />}
      {posts.error && <Problem error={posts.error} onRetry={() => void posts.refetch()} />}
      {posts.data && (
        <ol className="next-days">
          {days.map((day, index) => (
            <Day
              key={day}
              day={day}
              isNear={index < 2}
              posts={posts.data.filter((post) => dayOf(post.scheduledAtUtc) === day)}
            />
          ))}
        </ol>
      )}
    </Card>
  )
}

/** All of the days, or of each as many as are shown, and one more. */
async function readDays(days: readonly string[]): Promise<readonly ScheduledPost[]> {
  const read = (first: string, last: string, limit: number) => {
    const query = { from: startOf(first).toISOString(), to: startOf(addDays(last, 1)).toISOString(), limit }
    return answered(api.GET('/scheduled-posts', { params: { query } }))
  }
  const { scheduledPosts, nextCursor } = await read(days[0] ?? today(), days.at(-1) ?? today(), AT_ONCE)
  if (nextCursor === null) return scheduledPosts
  const each = await Promise.all(days.map((day) => read(day, day, SHOWN + 1)))
  return each.flatMap((page) => page.scheduledPosts)
}

function Day(props: { readonly day: string; readonly isNear: boolean; readonly posts: readonly ScheduledPost[] }) {
  const { day, isNear, posts } = props
  const mayWrite = useSession().permissions.includes('posts:write')
  const date = startOf(day)
  const near = day === today() ? t`Today` : t`Tomorrow`
  return (
    <li data-date={day} className={posts.length === 0 ? 'free' : undefined}>
      <h3 title={whole.format(date)}>
        {isNear && <span>{near} </span>}
        <span className="hint">{name.format(date)}</span>
      </h3>
      {posts.slice(0, SHOWN).map((post) => (
        <Planned key={post.id} post={post} />
      ))}
      {posts.length > SHOWN && (
        <Link to={`/calendar?view=week&day=${day}`} aria-label={t`More posts on ${whole.format(date)}`}>
          <Trans>More posts</Trans>
        </Link>
      )}
      {posts.length === 0 && (
        <p className="hint">
          <Trans>Nothing planned</Trans>
          {mayWrite && (
            <>
              {' '}
              <Link to={`/compose?date=${day}`} aria-label={t`Plan a post for ${whole.format(date)}`}>
                <Trans>Plan a post</Trans>
              </Link>
            </>
          )}
        </p>
      )}
    </li>
  )
}

function Planned({ post }: { readonly post: ScheduledPost }) {
  const { id, scheduledAtUtc, selections, mediaUrl, mediaType, caption } = post
  const hasPicture = mediaType === 'image' || mediaType === 'video'
  return (
    <>
      <Link to={`/posts/${id}`} className="planned">
        <span className="planned-head">
          <time dateTime={scheduledAtUtc}>{timeOfDay(scheduledAtUtc)}</time>
          <PlatformIcons of={Object.keys(selections)} />
        </span>
        {hasPicture && <Thumb url={mediaUrl} type={mediaType} />}
        <span className="clamp">{caption || t`No caption`}</span>
        {approvalAwaited(post) && (
          <span className="status busy">
            <Trans>not approved</Trans>
          </span>
        )}
      </Link>
      <MissingMedia of={post} />
    </>
  )
}
