import type * as z from 'zod'
import { sessionSchema } from '../../api/dashboard/session.ts'
import type { Answer } from './api-answer.ts'
import type { Call, Server } from './api.ts'

export const DASHBOARD = '/dashboard/api'

/** A tab that shows the dashboard: it knows the session as it was when it was loaded. */
export interface Tab {
  readonly session: z.infer<typeof sessionSchema>
  call(call: Call): Promise<Answer>
  show(workspaceId: string): Promise<Answer>
  /** Joins by the link of an invitation. */
  join(token: string): Promise<Answer>
}

/** Loads a tab. @returns undefined when nobody is signed in */
export async function tabOf(server: Pick<Server, 'call'>, cookie: string): Promise<Tab | undefined> {
  const answer = await server.call({ path: `${DASHBOARD}/session`, headers: { cookie } })
  if (answer.status === 401) return undefined
  const session = sessionSchema.parse(answer.body)
  const call = ({ headers = {}, ...rest }: Call) =>
    server.call({ ...rest, headers: { cookie, 'x-csrf-token': session.csrfToken, ...headers } })
  return {
    session,
    call,
    show: (workspaceId) => call({ method: 'PUT', path: `${DASHBOARD}/session/workspace`, body: { workspaceId } }),
    join: (token) => call({ method: 'POST', path: `${DASHBOARD}/workspaces`, body: { token } }),
  }
}
