import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { answerXrpc } from './bluesky/answer.ts'
import { registerBlobs } from './bluesky/blobs.ts'
import { fansRecord } from './bluesky/fans.ts'
import { registerFeeds } from './bluesky/feeds.ts'
import { accountOf, DID_PLC, handleOf, newDid } from './bluesky/identity.ts'
import { registerNotifications } from './bluesky/notifications.ts'
import { pastCounts, pastRecord } from './bluesky/past.ts'
import { registerProfiles } from './bluesky/profiles.ts'
import { decode, invalid, unexpected, xrpcError, xrpcRefusal } from './bluesky/refusal.ts'
import { registerRepo } from './bluesky/repo.ts'
import { sessions as openSessions, type Sessions } from './bluesky/sessions.ts'
import { registerThread } from './bluesky/thread.ts'
import { handleErrors } from './stand-in-refusal.ts'
import { mustBeAccountId } from './refusal.ts'
import type { StandIn, StandInDeps } from './stand-in.ts'

/** Size limit of a JSON body, in bytes. */
const JSON_LIMIT = 150 * 1024

const login = z.object({ identifier: z.string(), password: z.string() })
const resolve = z.object({ handle: z.string() })

/**
 * A Bluesky server for posts: sessions, blobs and records, as strict as the reference server, which the tests compare it with. Of
 * the app's reads (`app.bsky.*`) it has what comments and counts need, and no video service. The fault `metrics` applies to every
 * call that returns counts.
 *
 * Any handle that does not end with `.test` is a stranger who posts occasionally. Handles beginning with `nobody` do not exist;
 * handles beginning with `gone` resolve by handle, but not by DID.
 */
export const blueskyStandIn: StandIn = {
  platform: 'bluesky',
  newExternalId: (ids) => newDid(ids.token()),
  issueCredentials: (externalId, { ids }) => {
    mustBeAccountId(externalId, DID_PLC, 'did:plc: followed by 24 characters a-z or 2-7')
    const letters = newDid(ids.token()).slice('did:plc:'.length)
    return { identifier: externalId, appPassword: (letters.match(/.{4}/g) ?? []).slice(0, 4).join('-') }
  },
  newComment: fansRecord,
  history: { identify: pastRecord, countsAt: pastCounts },
  register: (app, deps) => {
    app.removeAllContentTypeParsers()
    const json = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: JSON_LIMIT }, json)
    handleErrors(app, unexpected, ({ headers }) =>
      headers.authorization === undefined
        ? xrpcError(401, 'AuthMissing', 'Authentication Required')
        : xrpcError(501, 'MethodNotImplemented', 'The sandbox does not support this method'),
    )
    const sessions = openSessions(deps)
    registerSessions(app, sessions, deps)
    registerBlobs(app, sessions, deps)
    registerRepo(app, sessions, deps)
    registerNotifications(app, sessions, deps)
    registerThread(app, sessions, deps)
    registerFeeds(app, sessions, deps)
    registerProfiles(app, sessions, deps)
  },
}

function registerSessions(app: FastifyInstance, sessions: Sessions, deps: StandInDeps): void {
  app.post('/xrpc/com.atproto.server.createSession', (request, reply) => {
    const { identifier, password } = decode(login, request.body)
    const account = accountOf(identifier, deps)
    if (!account || account.secrets['appPassword'] !== password) {
      throw xrpcRefusal(401, 'AuthenticationRequired', 'Invalid identifier or password')
    }
    return reply.send(sessions.open(account))
  })

  app.post('/xrpc/com.atproto.server.refreshSession', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'refresh')
    return answerXrpc(reply, 'refresh', caller, sessions, deps, () => {
      sessions.supersede(caller.token)
      return sessions.open(caller.account)
    })
  })

  app.post('/xrpc/com.atproto.server.deleteSession', (request, reply) => {
    sessions.revoke(sessions.authenticate(request.headers.authorization, 'refresh').token)
    return reply.send()
  })

  app.get('/xrpc/com.atproto.server.getSession', (request, reply) => {
    const { account } = sessions.authenticate(request.headers.authorization, 'access')
    return reply.send({ did: account.externalId, handle: handleOf(account), emailConfirmed: true, active: true })
  })

  app.get('/xrpc/com.atproto.identity.resolveHandle', (request, reply) => {
    const account = accountOf(decode(resolve, request.query).handle, deps)
    if (!account) throw invalid('Unable to resolve handle')
    return reply.send({ did: account.externalId })
  })
}
