import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Post, ScheduledPost } from '../../client/types.ts'
import { approvalAwaited, shownStatus } from '../../parts/shown.tsx'

const ring = <circle cx="8" cy="8" r="5.5" />

/** Each has a shape of its own, so that nobody needs its color. Drawn on 16 by 16. */
const STATUSES = {
  pending: { name: t`Scheduled`, shape: ring },
  not_approved: { name: t`Not approved`, shape: <circle cx="8" cy="8" r="5.5" strokeDasharray="1 3.3" /> },
  processing: {
    name: t({ message: 'Publishing', context: 'status of a post' }),
    shape: (
      <>
        {ring}
        <path d="M8 2.5A5.5 5.5 0 0 1 8 13.5Z" fill="currentColor" />
      </>
    ),
  },
  published: {
    name: t`Published`,
    shape: (
      <>
        <circle cx="8" cy="8" r="6.5" fill="currentColor" />
        <path d="m5 8.2 2.1 2.1L11 6" stroke="var(--surface)" />
      </>
    ),
  },
  partially_failed: {
    name: t`Partly failed`,
    shape: (
      <>
        <path d="M8 1.5 14.5 8 8 14.5 1.5 8Z" />
        <path d="M8 1.5v13L1.5 8Z" fill="currentColor" />
      </>
    ),
  },
  publish_failed: {
    name: t`Failed`,
    shape: (
      <>
        <path d="m8 1.5 6.75 12.5H1.25Z" fill="currentColor" />
        <path d="M8 6v3.5M8 11.6v.4" stroke="var(--surface)" />
      </>
    ),
  },
  recycling: { name: t`Reposted by a rule`, shape: <path d="M13 8a5 5 0 1 1-1.5-3.6M13 1.8v3h-3" /> },
} satisfies Readonly<Record<string, { readonly name: string; readonly shape: ReactNode }>>

export type EntryStatus = keyof typeof STATUSES

/** Those of posts, for a filter. */
export const FILTERS = Object.entries(STATUSES).flatMap(([value, { name }]) =>
  value === 'recycling' ? [] : [{ value, label: name }],
)

export function statusName(status: EntryStatus): string {
  return STATUSES[status].name
}

export function StatusShape({ of }: { readonly of: EntryStatus }) {
  return (
    <svg className={`status-shape ${of}`} viewBox="0 0 16 16" aria-hidden>
      {STATUSES[of].shape}
    </svg>
  )
}

/** What the shapes mean, and what else is shown. */
export function Legend({ children }: { readonly children?: ReactNode }) {
  return (
    <ul className="shapes" aria-label={t`What the symbols mean`}>
      {Object.entries(STATUSES).map(([status, { name }]) => (
        <li key={status}>
          <StatusShape of={status as EntryStatus} /> {name}
        </li>
      ))}
      {children}
    </ul>
  )
}

export function statusOf(post: Post | ScheduledPost): EntryStatus {
  if ('publishResults' in post) return shownStatus(post)
  return approvalAwaited(post) ? 'not_approved' : 'pending'
}
