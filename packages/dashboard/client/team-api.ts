import { answered, api, attemptName, named } from './client.ts'
import type { Role } from './session-api.ts'
import type { InviteBody } from './types.ts'

const of = (id: string) => ({ params: { path: { id } } })

export const teamApi = {
  users: async () => (await answered(api.GET('/users'))).users,
  changeRole: (id: string, role: Role) => answered(api.PATCH('/users/{id}', { ...of(id), body: { role } })),
  removeUser: (id: string) => answered(api.DELETE('/users/{id}', of(id))),
  invitations: async () => (await answered(api.GET('/invitations'))).invitations,
  invite: (body: InviteBody) => answered(api.POST('/invitations', { params: named(attemptName()), body })),
  revokeInvitation: (id: string) => answered(api.DELETE('/invitations/{id}', of(id))),
}
