import type { Role } from '../client/session-api.ts'

/** What each role may do, most first. */
export const ROLES: Readonly<Record<Role, string>> = {
  owner: 'An owner does everything, including users, keys and erasing.',
  manager: 'A manager does everything except erasing data, and manages authors, reviewers and readers.',
  author: 'An author writes, schedules and publishes posts, answers comments and makes videos.',
  reviewer: 'A reviewer reads everything, and approves and answers comments.',
  reader: 'A reader only reads.',
}

/** The roles that a user may give, and whose users they may change. The API checks it, too. */
export function managedBy(role: Role): readonly Role[] {
  if (role === 'owner') return Object.keys(ROLES) as Role[]
  return role === 'manager' ? ['author', 'reviewer', 'reader'] : []
}
