import { t } from '@lingui/core/macro'
import { lazy, type ComponentType } from 'react'

/** The headings of the navigation. */
export const GROUPS = { publish: t`Publish`, automate: t`Automate`, 'set-up': t`Set up` }

/** A page: its path and, if it is in the navigation, its name and group there. */
export interface PageEntry {
  readonly path: string
  readonly Content: ComponentType
  readonly name?: string
  readonly group?: keyof typeof GROUPS
  /** The permission without which it is not shown; absent: every role has it. */
  readonly needs?: string
}

export const Lost = lazy(() => import('./pages/lost.tsx'))

/** Leads on from where comments once were. */
const Inbox = lazy(() => import('./pages/inbox.tsx'))

export const PAGES: readonly PageEntry[] = [
  { path: '/', name: t`Home`, Content: lazy(() => import('./pages/home.tsx')) },
  { path: '/inbox', name: t`Inbox`, Content: Inbox },
  { path: '/comments', Content: Inbox },
  { path: '/analytics', name: t`Analytics`, Content: lazy(() => import('./pages/analytics.tsx')) },
  {
    path: '/compose',
    name: t`Compose`,
    group: 'publish',
    needs: 'posts:write',
    Content: lazy(() => import('./pages/compose.tsx')),
  },
  { path: '/calendar', name: t`Calendar`, group: 'publish', Content: lazy(() => import('./pages/calendar.tsx')) },
  { path: '/posts', name: t`Posts`, group: 'publish', Content: lazy(() => import('./pages/posts.tsx')) },
  { path: '/posts/:id', Content: lazy(() => import('./pages/post.tsx')) },
  { path: '/approvals', name: t`Approvals`, group: 'publish', Content: lazy(() => import('./pages/approvals.tsx')) },
  { path: '/library', name: t`Media`, group: 'publish', Content: lazy(() => import('./pages/media.tsx')) },
  { path: '/videos', name: t`Videos`, group: 'publish', Content: lazy(() => import('./pages/videos.tsx')) },
  { path: '/feeds', name: t`Feeds`, group: 'automate', Content: lazy(() => import('./pages/feeds.tsx')) },
  { path: '/recycling', name: t`Recycling`, group: 'automate', Content: lazy(() => import('./pages/recycling.tsx')) },
  { path: '/accounts', name: t`Accounts`, group: 'set-up', Content: lazy(() => import('./pages/accounts.tsx')) },
  { path: '/settings/*', name: t`Settings`, group: 'set-up', Content: lazy(() => import('./pages/settings.tsx')) },
]

/** Where a section of the settings once was, and its path there now: links in mails and bookmarks lead to the former. */
export const MOVED: Readonly<Record<string, string>> = {
  '/slots': 'slots',
  '/credits': 'credits',
  '/keys': 'keys',
  '/team': 'team',
  '/notifications': 'notifications',
  '/webhooks': 'webhooks',
  '/privacy': 'storage',
  '/security': 'security',
}
