import { t } from '@lingui/core/macro'
import { lazy, type ComponentType } from 'react'

/** The headings of the navigation. */
export const GROUPS = { publish: t`Publish`, engage: t`Engage`, insights: t`Insights`, 'set-up': t`Set up` }

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
export const NoAccess = lazy(() => import('./pages/no-access.tsx'))

/** Leads on from where comments once were. */
const Inbox = lazy(() => import('./pages/inbox.tsx'))

export const PAGES: readonly PageEntry[] = [
  { path: '/', name: t`Home`, Content: lazy(() => import('./pages/home.tsx')) },
  {
    path: '/compose',
    name: t`Compose`,
    group: 'publish',
    needs: 'posts:write',
    Content: lazy(() => import('./pages/compose.tsx')),
  },
  { path: '/calendar', name: t`Calendar`, group: 'publish', Content: lazy(() => import('./pages/calendar.tsx')) },
  { path: '/posts', name: t`Posts`, group: 'publish', Content: lazy(() => import('./pages/posts.tsx')) },
  { path: '/library', name: t`Media`, group: 'publish', Content: lazy(() => import('./pages/media.tsx')) },
  { path: '/approvals', name: t`Approvals`, group: 'publish', Content: lazy(() => import('./pages/approvals.tsx')) },
  { path: '/slots', name: t`Slots`, group: 'publish', Content: lazy(() => import('./pages/slots.tsx')) },
  { path: '/posts/:id', Content: lazy(() => import('./pages/post.tsx')) },
  { path: '/videos', name: t`Videos`, group: 'publish', Content: lazy(() => import('./pages/videos.tsx')) },
  { path: '/feeds', name: t`Feeds`, group: 'publish', Content: lazy(() => import('./pages/feeds.tsx')) },
  { path: '/recycling', name: t`Recycling`, group: 'publish', Content: lazy(() => import('./pages/recycling.tsx')) },
  { path: '/inbox', name: t`Inbox`, group: 'engage', Content: Inbox },
  { path: '/comments', Content: Inbox },
  { path: '/analytics', name: t`Analytics`, group: 'insights', Content: lazy(() => import('./pages/analytics.tsx')) },
  { path: '/credits', name: t`Credits`, group: 'insights', Content: lazy(() => import('./pages/credits.tsx')) },
  { path: '/accounts', name: t`Accounts`, group: 'set-up', Content: lazy(() => import('./pages/accounts.tsx')) },
  {
    path: '/keys',
    name: t`API keys`,
    group: 'set-up',
    needs: 'keys:read',
    Content: lazy(() => import('./pages/keys.tsx')),
  },
  { path: '/team', name: t`Team`, group: 'set-up', Content: lazy(() => import('./pages/team.tsx')) },
  {
    path: '/notifications',
    name: t`Notifications`,
    group: 'set-up',
    Content: lazy(() => import('./pages/notifications.tsx')),
  },
  {
    path: '/webhooks',
    name: t`Webhooks`,
    group: 'set-up',
    needs: 'webhooks:read',
    Content: lazy(() => import('./pages/webhooks.tsx')),
  },
  {
    path: '/privacy',
    name: t`Privacy`,
    group: 'set-up',
    needs: 'erasures:read',
    Content: lazy(() => import('./pages/privacy.tsx')),
  },
  { path: '/security', name: t`Security`, group: 'set-up', Content: lazy(() => import('./pages/security.tsx')) },
  { path: '/webhooks/:id', needs: 'webhooks:read', Content: lazy(() => import('./pages/webhook.tsx')) },
]
