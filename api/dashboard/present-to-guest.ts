import { chainParts } from '../../domain/post/chain-parts.ts'
import type { Approval, Reviewer, ReviewLink } from '../../domain/post/approval.ts'
import { isPlatformKey, PLATFORM_NAMES } from '../../domain/core/platform.ts'
import type { PinnedMedia } from '../../domain/post/post-events.ts'
import { mediaOf, type PostMedia } from '../../domain/post/post-media.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { ScheduledPostRow } from '../../projections/models/scheduled-posts.ts'
import { namesIn, type Names } from '../kit/names.ts'
import { changesIn } from '../kit/changes-in.ts'

/** Fields whose changes a guest sees. Options have ids of other things. */
const SHOWN = [
  'caption',
  'captionOverrides',
  'hashtags',
  'media',
  'selections',
  'firstComment',
  'parts',
  'scheduledAtUtc',
]

/** What somebody without an account sees of a post: its content and what was said, but no ids. */
export async function presentToGuest(
  db: Database,
  {
    row,
    link: { mayDecide, expiresAt },
    workspace,
  }: {
    readonly row: ScheduledPostRow & { readonly approval: Approval }
    readonly link: ReviewLink
    readonly workspace: { readonly name: string }
  },
) {
  const { workspaceId, caption, captionOverrides, hashtags, firstComment, selections, pinned, dueAt, approval } = row
  const { status, version, publishes } = approval
  const names = await namesIn(db, workspaceId)
  const changes = changesIn(row).filter(({ field }) => SHOWN.includes(field))
  const accountsOf = (of: Selections) =>
    Object.entries(of).flatMap(([platform, accountIds]) =>
      accountIds.map((id) => ({ platform: nameOf(platform), label: names.get(id) ?? 'unknown' })),
    )
  const named = (of: unknown) =>
    of === undefined ? undefined : accountsOf(of as Selections).map(({ platform, label }) => `${platform}: ${label}`)
  return {
    workspace: { name: workspace.name },
    ...{ mayDecide, expiresAt, status, version, publishes, scheduledAtUtc: dueAt },
    ...{ caption, captionOverrides: byName(captionOverrides), hashtags, firstComment },
    media: copied(mediaOf(row), pinned),
    parts: chainParts(row)
      .slice(1)
      .map(({ text, media }) => ({ text, media: copied(media, pinned) })),
    accounts: accountsOf(selections),
    changes: changes.map(({ field, before, after }) =>
      field === 'selections' ? { field, before: named(before), after: named(after) } : { field, before, after },
    ),
    remarks: approval.remarks.map(({ by, at, decision, text }) => ({ by: calledBy(by, names), at, decision, text })),
  }
}

type Selections = ScheduledPostRow['selections']

function nameOf(platform: string): string {
  return isPlatformKey(platform) ? PLATFORM_NAMES[platform] : platform
}

function byName(texts: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(texts).map(([platform, text]) => [nameOf(platform), text]))
}

/** What is published is the copy, whatever becomes of the original. */
function copied(media: readonly PostMedia[], pinned: readonly PinnedMedia[]) {
  return media.map(({ url, type, altText }) => {
    const copy = pinned.find((item) => item.url === url)
    return { url: copy && 'pinnedUrl' in copy ? copy.pinnedUrl : url, type, altText }
  })
}

/** A user's name may be an email address. */
function calledBy(by: Reviewer, names: Names): string {
  if (by.kind === 'guest') return by.label ?? 'A guest'
  if (by.kind !== 'user') return 'Somebody'
  return (names.get(by.id) ?? 'Somebody').split('@')[0] ?? ''
}
