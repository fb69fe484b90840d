import { t } from '@lingui/core/macro'
import { lazy, type ComponentType } from 'react'

/** The headings of the settings' navigation. */
export const GROUPS = { workspace: t`Workspace`, people: t`People`, developers: t`Developers`, you: t`You` }

/** A section of the settings: its path below `/settings` and, if it is in their navigation, its name and group there. */
interface Section {
  readonly path: string
  readonly Content: ComponentType
  readonly name?: string
  readonly group?: keyof typeof GROUPS
  /** The permission without which it is not shown; absent: every role has it. */
  readonly needs?: string
}

export const SECTIONS: readonly Section[] = [
  { path: 'general', name: t`General`, group: 'workspace', Content: lazy(() => import('./general.tsx')) },
  { path: 'slots', name: t`Slots`, group: 'workspace', Content: lazy(() => import('./slots.tsx')) },
  {
    path: 'posting-rules',
    name: t`Posting rules`,
    group: 'workspace',
    Content: lazy(() => import('./posting-rules.tsx')),
  },
  { path: 'brand-voice', name: t`Brand voice`, group: 'workspace', Content: lazy(() => import('./brand-voice.tsx')) },
  { path: 'credits', name: t`Credits`, group: 'workspace', Content: lazy(() => import('./credits.tsx')) },
  { path: 'storage', name: t`Storage and data`, group: 'workspace', Content: lazy(() => import('./storage.tsx')) },
  { path: 'team', name: t`Team`, group: 'people', Content: lazy(() => import('./team.tsx')) },
  {
    path: 'notifications',
    name: t`Notifications`,
    group: 'people',
    Content: lazy(() => import('./notifications.tsx')),
  },
  {
    path: 'keys',
    name: t`API keys`,
    group: 'developers',
    needs: 'keys:read',
    Content: lazy(() => import('./keys.tsx')),
  },
  {
    path: 'webhooks',
    name: t`Webhooks`,
    group: 'developers',
    needs: 'webhooks:read',
    Content: lazy(() => import('./webhooks.tsx')),
  },
  { path: 'webhooks/:id', needs: 'webhooks:read', Content: lazy(() => import('./webhooks/webhook.tsx')) },
  { path: 'security', name: t`Security`, group: 'you', Content: lazy(() => import('./security.tsx')) },
  { path: 'appearance', name: t`Language and theme`, group: 'you', Content: lazy(() => import('./appearance.tsx')) },
]
