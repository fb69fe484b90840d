import { lazy, type ComponentType } from 'react'

/** A page: its path and, if it is in the navigation, its name and group there. */
export interface PageEntry {
  readonly path: string
  readonly Content: ComponentType
  readonly name?: string
  readonly group?: 'Publish' | 'Engage' | 'Insights' | 'Set up'
  /** The permission without which it is not shown; absent: every role has it. */
  readonly needs?: string
}

export const Lost = lazy(() => import('./pages/lost.tsx'))
export const NoAccess = lazy(() => import('./pages/no-access.tsx'))

/** Leads on from where comments once were. */
const Inbox = lazy(() => import('./pages/inbox.tsx'))

export const PAGES: readonly PageEntry[] = [
  { path: '/', name: 'Home', Content: lazy(() => import('./pages/home.tsx')) },
  {
    path: '/compose',
    name: 'Compose',
    group: 'Publish',
    needs: 'posts:write',
    Content: lazy(() => import('./pages/compose.tsx')),
  },
  { path: '/calendar', name: 'Calendar', group: 'Publish', Content: lazy(() => import('./pages/calendar.tsx')) },
  { path: '/posts', name: 'Posts', group: 'Publish', Content: lazy(() => import('./pages/posts.tsx')) },
  { path: '/library', name: 'Media', group: 'Publish', Content: lazy(() => import('./pages/media.tsx')) },
  { path: '/approvals', name: 'Approvals', group: 'Publish', Content: lazy(() => import('./pages/approvals.tsx')) },
  { path: '/slots', name: 'Slots', group: 'Publish', Content: lazy(() => import('./pages/slots.tsx')) },
  { path: '/posts/:id', Content: lazy(() => import('./pages/post.tsx')) },
  { path: '/videos', name: 'Videos', group: 'Publish', Content: lazy(() => import('./pages/videos.tsx')) },
  { path: '/feeds', name: 'Feeds', group: 'Publish', Content: lazy(() => import('./pages/feeds.tsx')) },
  { path: '/recycling', name: 'Recycling', group: 'Publish', Content: lazy(() => import('./pages/recycling.tsx')) },
  { path: '/inbox', name: 'Inbox', group: 'Engage', Content: Inbox },
  { path: '/comments', Content: Inbox },
  { path: '/analytics', name: 'Analytics', group: 'Insights', Content: lazy(() => import('./pages/analytics.tsx')) },
  { path: '/credits', name: 'Credits', group: 'Insights', Content: lazy(() => import('./pages/credits.tsx')) },
  { path: '/accounts', name: 'Accounts', group: 'Set up', Content: lazy(() => import('./pages/accounts.tsx')) },
  {
    path: '/keys',
    name: 'API keys',
    group: 'Set up',
    needs: 'keys:read',
    Content: lazy(() => import('./pages/keys.tsx')),
  },
  { path: '/team', name: 'Team', group: 'Set up', Content: lazy(() => import('./pages/team.tsx')) },
  {
    path: '/notifications',
    name: 'Notifications',
    group: 'Set up',
    Content: lazy(() => import('./pages/notifications.tsx')),
  },
  {
    path: '/webhooks',
    name: 'Webhooks',
    group: 'Set up',
    needs: 'webhooks:read',
    Content: lazy(() => import('./pages/webhooks.tsx')),
  },
  {
    path: '/privacy',
    name: 'Privacy',
    group: 'Set up',
    needs: 'erasures:read',
    Content: lazy(() => import('./pages/privacy.tsx')),
  },
  { path: '/security', name: 'Security', group: 'Set up', Content: lazy(() => import('./pages/security.tsx')) },
  { path: '/webhooks/:id', needs: 'webhooks:read', Content: lazy(() => import('./pages/webhook.tsx')) },
]
