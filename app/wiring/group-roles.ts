import { isUserRole, USER_ROLES, type GroupRoles } from '../../domain/workspace/role.ts'
import { SettingsError, type Settings } from '../../infra/runtime/settings.ts'

/** @throws SettingsError for a role that there is not */
export function groupRolesOf({ oidc }: Pick<Settings, 'oidc'>): GroupRoles {
  return (oidc?.roles ?? []).map(({ group, role }) => {
    if (isUserRole(role)) return { group, role }
    throw new SettingsError([`OIDC_ROLES: ${role} is not a role; use ${USER_ROLES.join(', ')}`])
  })
}
