import assert from 'node:assert/strict'
import * as z from 'zod'
import { sessionSchema } from '../../api/dashboard/session.ts'
import { LogUnavailable, type EventLog } from '../../event-log/event-log.ts'
import { handle } from '../../commands/handle.ts'
import { createUser } from '../../commands/user.ts'
import { createWorkspace } from '../../commands/create-workspace.ts'
import { createPasswords } from '../../infra/postgres/passwords.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import { user, userIdOf } from '../../domain/workspace/user.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { findUser } from '../../projections/models/users.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { Answer } from './api-answer.ts'
import { CHEAP, type ApiWorld, type Call, type Server } from './api.ts'
import { ids } from './sandbox.ts'
import { until } from './service-process.ts'
import { causedBy } from './world.ts'

export const PASSWORD = 'correct horse battery'

/** A workspace with a user, whose password is `PASSWORD`. */
export async function givenUser(
  { world }: ApiWorld,
  name: string,
  workspaceId = resourceId('ws', ids.ulid()),
  role: UserRole = 'owner',
) {
  const id = userIdOf(name)
  const passwordId = ids.token()
  await createPasswords(world.db, CHEAP).put(passwordId, PASSWORD)
  await handle(world, workspace, workspaceId, causedBy(workspaceId), (state) =>
    createWorkspace(state, { name: `of ${name}` }),
  )
  await handle(world, user, id, causedBy(passwordId), (state) =>
    createUser(state, { workspaceId, name, passwordId, role }),
  )
  await until('the user to be shown', 60_000, () => findUser(world.db, id))
  return { id, name, workspaceId }
}

/** A browser that shows the dashboard. */
export interface SignedIn {
  readonly cookie: string
  readonly csrfToken: string
  /** A call of the page: with the cookie, and the token where it changes something. */
  call(call: Call): Promise<Answer>
}

export function signInCall(name: string, password: string): Call {
  return { method: 'POST', path: '/dashboard/api/session', body: { name, password } }
}

export async function signIn(server: Pick<Server, 'call'>, name: string, password = PASSWORD): Promise<SignedIn> {
  const answer = await server.call(signInCall(name, password))
  assert.equal(answer.status, 200, answer.text)
  const { csrfToken } = sessionSchema.parse(answer.body)
  const cookie = cookieOf(answer)
  return {
    cookie,
    csrfToken,
    call: ({ headers = {}, ...call }) =>
      server.call({ ...call, headers: { cookie, 'x-csrf-token': csrfToken, ...headers } }),
  }
}

/** As a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? '').split(';')[0] ?? ''
}

/** A call without a session, from an address of its own each time: guesses are counted by address. */
let calls = 0
export function unsigned(path: string, body: object): Call {
  calls += 1
  const from = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`
  return { method: 'POST', path: `/dashboard/api${path}`, body, from }
}

/** Another process, whose nth append does not return: before or after it is in the log. Then it has ended. */
export async function dyingServer({ world, server }: ApiWorld, at: number, isLost: boolean): Promise<Server> {
  let appends = 0
  const log: EventLog = {
    ...world.log,
    append: async (...given) => {
      appends += 1
      if (appends < at) return world.log.append(...given)
      if (appends === at && isLost) await world.log.append(...given)
      throw new LogUnavailable('the process has ended')
    },
  }
  return server({ services: { log } })
}

const changed = z.object({ position: z.string(), kinds: z.array(z.string()), ids: z.array(z.string()) })

/** One message of a stream of server-sent events. */
export interface Message {
  readonly event: string
  readonly id: string
  readonly data: string
}

/** Listens as an `EventSource` does, but does not come back by itself. */
export async function listen(url: string, { cookie }: Pick<SignedIn, 'cookie'>, lastEventId?: string) {
  const leaving = new AbortController()
  const response = await fetch(url, {
    headers: { cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: leaving.signal,
  })
  let text = ''
  let ended = false
  const read = async () => {
    try {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString()
    } catch {
      // Left, or cut off.
    }
    ended = true
  }
  void read()
  const messages = (): readonly Message[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .map((block) => {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
        return { event: field('event'), id: field('id'), data: field('data') }
      })
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    messages,
    /** Waits for a change that names this id. */
    told: (id: string) =>
      until(`a change of ${id}`, 60_000, async () =>
        messages()
          .filter(({ event }) => event === 'changed')
          .map(({ data }) => changed.parse(JSON.parse(data)))
          .find(({ ids }) => ids.includes(id)),
      ),
    /** Waits for the place that one may come back to. */
    begun: () => until('the stream to begin', 60_000, async () => messages().find(({ id }) => id !== '')?.id),
    ended: () => until('the stream to end', 60_000, async () => ended || undefined),
    leave: () => leaving.abort(),
  }
}
