import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { useSession } from '../../client/queries.ts'
import type { Post } from '../../client/types.ts'
import { useAccountName, usePlatformName } from '../../parts/accounts.tsx'
import { Actions, Button, ButtonLink } from '../../parts/buttons.tsx'
import { keep, kept } from '../../parts/kept.ts'
import { PlatformIcons } from '../../parts/platform-icon.tsx'
import { failedOn, Moment, Thumb } from '../../parts/shown.tsx'
import { addDays, startOf, today } from '../../parts/time.ts'

/** It has a dialog, without which the first page loads faster. */
const SendAgain = lazy(() => import('../post/send-again.tsx'))

/** Older ones need nobody any more. */
const DAYS = 14
const SHOWN = 5
const DISMISSED = 'fanfare-dismissed'
/** More than anybody dismisses in that time. */
const MOST_DISMISSED = 200

/** Recent posts that failed somewhere, latest first, without those that were dismissed in this browser. */
export function useFailedPosts() {
  const [dismissed, setDismissed] = useState(() => (kept(DISMISSED) ?? '').split(' '))
  const from = startOf(addDays(today(), -DAYS)).toISOString()
  const failed = useQuery({
    queryKey: ['post', 'failed', from],
    queryFn: async () => {
      const read = (status: 'publish_failed' | 'partially_failed') =>
        answered(api.GET('/posts', { params: { query: { status, from, limit: SHOWN + dismissed.length } } }))
      const pages = await Promise.all([read('publish_failed'), read('partially_failed')])
      return pages.flatMap(({ posts }) => posts).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    },
  })
  const posts = failed.data?.filter(({ id }) => !dismissed.includes(id)).slice(0, SHOWN) ?? []
  const dismiss = (id: string) => {
    const ids = [...dismissed, id].slice(-MOST_DISMISSED)
    setDismissed(ids)
    keep(DISMISSED, ids.join(' '))
  }
  return { ...failed, posts, dismiss }
}

export function FailedPost({ post, onDismiss }: { readonly post: Post; readonly onDismiss: () => void }) {
  const mayWrite = useSession().permissions.includes('posts:write')
  const [platformName, accountName] = [usePlatformName(), useAccountName()]
  const failures = Object.entries(post.publishResults).flatMap(([platform, results]) =>
    results.flatMap((result) => (result.ok ? [] : [{ ...result, platform }])),
  )
  const [first, ...others] = failures
  const caption = post.caption || t`No caption`
  const canSend = mayWrite && failedOn(post) > 0 && !post.parts
  return (
    <li>
      <Thumb url={post.mediaUrl} type={post.mediaType} />
      <div className="item-body">
        <Link to={`/posts/${post.id}`} className="clamp">
          {caption}
        </Link>
        <div className="item-line">
          <span className="status bad">
            <Trans>failed</Trans>
          </span>
          <PlatformIcons of={[...new Set(failures.map(({ platform }) => platform))]} />
          <span className="hint">
            <Moment at={post.createdAt} short />
          </span>
        </div>
        {first && (
          <p className="hint clamp">
            {platformName(first.platform)}, {accountName(first.accountId)}: {first.error}
            {others.length > 0 && ` ${t`(and ${others.length} more)`}`}
          </p>
        )}
      </div>
      <Actions>
        {canSend ? (
          <Suspense>
            <SendAgain post={post} onSent={onDismiss} />
          </Suspense>
        ) : (
          <ButtonLink small to={`/posts/${post.id}`} aria-label={t`Open ${caption}`}>
            <Trans>Open</Trans>
          </ButtonLink>
        )}
        <Button small look="quiet" onPress={onDismiss} aria-label={t`Dismiss ${caption}`}>
          ×
        </Button>
      </Actions>
    </li>
  )
}
