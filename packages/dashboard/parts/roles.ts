import { t } from '@lingui/core/macro'
import type { Role } from '../client/session-api.ts'

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: t`owner`,
  manager: t`manager`,
  author: t`author`,
  reviewer: t`reviewer`,
  reader: t`reader`,
}

/** What each role may do, most first. */
export const ROLES: Readonly<Record<Role, string>> = {
  owner: t`An owner does everything, including users, keys and erasing.`,
  manager: t`A manager does everything except erasing data, and manages authors, reviewers and readers.`,
  author: t`An author writes, schedules and publishes posts, answers comments and makes videos.`,
  reviewer: t`A reviewer reads everything, and approves and answers comments.`,
  reader: t`A reader only reads.`,
}

/** Whether users with this role may reply to comments. The API checks it, too. */
export function mayReply(role: Role): boolean {
  return role !== 'reader'
}

/** The roles that a user may give, and whose users they may change. The API checks it, too. */
export function managedBy(role: Role): readonly Role[] {
  if (role === 'owner') return Object.keys(ROLES) as Role[]
  return role === 'manager' ? ['author', 'reviewer', 'reader'] : []
}
