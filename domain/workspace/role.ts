import { SCOPES, USER_PERMISSIONS, type Permission, type Scope } from '../core/scope.ts'

/** What a user may do in a workspace, most first. */
export const USER_ROLES = ['owner', 'manager', 'author', 'reviewer', 'reader'] as const

export type UserRole = (typeof USER_ROLES)[number]

const READS = [
  'dashboard',
  'users:read',
  'accounts:read',
  'posts:read',
  'analytics:read',
  'comments:read',
  'credits:read',
  'videos:read',
  'rss:read',
  'recycling:read',
] as const satisfies readonly Permission[]

const EVERYTHING: readonly Permission[] = [...SCOPES, ...USER_PERMISSIONS]

/** The one table of what each role may do. An API key may do what its scopes say. */
export const PERMISSIONS: Readonly<Record<UserRole, readonly Permission[]>> = {
  owner: EVERYTHING,
  // Erasing cannot be undone, and may erase the whole workspace.
  manager: EVERYTHING.filter((permission) => permission !== 'erasures:write'),
  author: [...READS, 'posts:write', 'comments:write', 'approvals:write', 'videos:write'],
  reviewer: [...READS, 'comments:write', 'approvals:write', 'approvals:decide'],
  reader: READS,
}

/** Which role each of the groups of an OpenID Connect provider gives. */
export type GroupRoles = readonly { readonly group: string; readonly role: UserRole }[]

/** The most that one of the groups gives; undefined if none gives anything. */
export function roleOfGroups(roles: GroupRoles, groups: readonly string[]): UserRole | undefined {
  return USER_ROLES.find((role) => roles.some((one) => one.role === role && groups.includes(one.group)))
}

/** The scopes of an API key that may do what the role may. */
export function scopesOf(role: UserRole): readonly Scope[] {
  return SCOPES.filter((scope) => PERMISSIONS[role].includes(scope))
}

export function isUserRole(value: string): value is UserRole {
  return (USER_ROLES as readonly string[]).includes(value)
}

/** Whether a user may invite, change and remove users of another role. */
export function mayManage(role: UserRole, other: UserRole): boolean {
  if (role === 'owner') return true
  return role === 'manager' && other !== 'owner' && other !== 'manager'
}
