import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Change } from './changes.ts'
import type { LiveChanges } from './live-changes.ts'
import { sessionOf } from './session.ts'
import type { Sessions } from './sessions.ts'

/** Unread bytes per listener. One that exceeds this is disconnected, and reconnects for what it missed. */
const MOST_UNREAD = 64 * 1024
const MOST_LISTENERS = 1_000
/** Open tabs per user. */
const MOST_OF_A_USER = 50
const RETRY_MS = 2_000
/** A rejected listener retries after this time (s). */
const CROWDED_S = 15
const POSITION = /^\d{1,19}$/

interface Place {
  readonly userId: string
}

interface Listener extends Place {
  readonly tokenHash: string
  readonly workspaceId: string
  readonly response: ServerResponse
}

/**
 * `GET /live`: changes in the caller's workspace, as server-sent events, until the session ends or shows another one, the listener disconnects or
 * the server stops.
 */
export function liveRoute(app: FastifyInstance, { changes, sessions, clock, logger, beatMs }: LiveDeps): void {
  const open = new Set<Listener>()
  /** Places of listeners that were admitted but do not listen yet. */
  const kept = new Set<Place>()
  const closing = new AbortController()
  /** Ends the connections whose session has ended, or shows another workspace. */
  const look = async () => {
    if (open.size === 0) return
    const asked = [...open]
    try {
      const lasting = await sessions.lasting(asked.map(({ tokenHash }) => tokenHash))
      for (const { tokenHash, workspaceId, response } of asked)
        if (lasting.get(tokenHash) !== workspaceId) response.end()
    } catch (error) {
      // An unavailable database ends no session.
      logger.warn({ err: error }, 'sessions could not be checked; open connections are kept')
    }
  }
  const beat = async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(beatMs, closing.signal)
      await look()
      for (const { response } of open) write(response, ':\n\n')
    }
  }
  void beat()
  sessions.whenEnded(() => void look())
  app.addHook('preClose', async () => {
    closing.abort()
    changes.close()
    for (const { response } of open) response.end()
  })

  app.get('/live', { config: { route: { scope: 'dashboard' } } }, async (request, reply) => {
    if (!request.caller) throw new Error('a route ran without a caller')
    if (request.method === 'HEAD') return reply.type('text/event-stream').send()
    const { tokenHash, user, workspace } = sessionOf(request.caller)
    const taken: readonly Place[] = [...open, ...kept]
    const ofUser = taken.filter(({ userId }) => userId === user.id)
    if (taken.length >= MOST_LISTENERS || ofUser.length >= MOST_OF_A_USER) {
      reply.header('Retry-After', CROWDED_S)
      throw new Refusal('rate_limit_exceeded', 'Too many dashboard pages are open. Close some.')
    }
    const last = request.headers['last-event-id']
    const after = typeof last === 'string' && POSITION.test(last) ? BigInt(last) : undefined
    const response = reply.raw
    const waiting: Change[] = []
    let begun = false
    const hear = (change: Change) => void (begun ? write(response, messageOf(change)) : waiting.push(change))
    const place = { userId: user.id }
    kept.add(place)
    const listening = await changes.listen(workspace.id, after, hear).finally(() => kept.delete(place))
    reply.hijack()
    if (closing.signal.aborted || request.raw.socket.destroyed) {
      listening.stop()
      response.destroy()
      return
    }
    const listener = { tokenHash, userId: user.id, workspaceId: workspace.id, response }
    open.add(listener)
    response.once('close', () => {
      open.delete(listener)
      listening.stop()
    })
    response.writeHead(200, {
      ...headersOf(reply.getHeaders()),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Nothing follows this response, and a stopping server then waits for no idle keep-alive connection.
      connection: 'close',
      // nginx and similar proxies would buffer it.
      'x-accel-buffering': 'no',
    })
    const { position, missed } = listening
    write(response, `retry: ${RETRY_MS}\n\n`)
    if (missed === undefined) write(response, `event: reset\ndata: {"position":"${position}"}\n\n`)
    for (const change of missed ?? []) write(response, messageOf(change))
    // Without data this is not an event: it only sets the position to resume from.
    write(response, `id: ${position}\n\n`)
    for (const change of waiting) write(response, messageOf(change))
    begun = true
  })
}

interface LiveDeps {
  readonly changes: LiveChanges
  readonly sessions: Pick<Sessions, 'lasting' | 'whenEnded'>
  readonly clock: Clock
  readonly logger: Logger
  readonly beatMs: number
}

function messageOf({ position, kinds, ids }: Change): string {
  const data = JSON.stringify({ position: String(position), kinds, ids })
  return `event: changed\nid: ${position}\ndata: ${data}\n\n`
}

function write(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return
  response.write(text)
  if (response.writableLength > MOST_UNREAD) response.destroy()
}

function headersOf(headers: Readonly<Record<string, string | number | string[] | undefined>>) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}
