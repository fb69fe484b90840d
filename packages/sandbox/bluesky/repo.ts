import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answerXrpc } from './answer.ts'
import { accountOf, atIdentifier } from './identity.ts'
import { COLLECTION } from './record-schema.ts'
import { records } from './records.ts'
import { decode, invalid, xrpcRefusal } from './refusal.ts'
import type { Authenticated, Sessions } from './sessions.ts'
import { freeKey } from './tid.ts'

const nsid = z.string().regex(/^[a-zA-Z][a-zA-Z0-9-]*(?:\.[a-zA-Z0-9-]+)+\.[a-zA-Z][a-zA-Z0-9]*$/, 'Invalid NSID')
const recordKey = z.string().regex(/^(?!\.{1,2}$)[a-zA-Z0-9_~.:-]{1,512}$/, 'Invalid record key')
const swapCid = z.string().regex(/^b[a-z2-7]{50,}$/, 'Invalid CID string')

const target = { repo: atIdentifier, collection: nsid }
const put = z.object({
  ...target,
  rkey: recordKey,
  record: z.record(z.string(), z.unknown()),
  swapRecord: swapCid.nullable().optional(),
})
const create = z.object({ ...target, rkey: recordKey.optional(), record: z.record(z.string(), z.unknown()) })
const one = z.object({ ...target, rkey: recordKey })
const list = z.object({
  ...target,
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
  reverse: z.stringbool().default(false),
})

/** Reads and writes posts. */
export function registerRepo(app: FastifyInstance, sessions: Sessions, deps: StandInDeps): void {
  const repo = records(deps)

  app.post('/xrpc/com.atproto.repo.putRecord', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'access')
    const given = decode(put, request.body)
    mustBeOwn(given, caller, deps)
    const account = caller.account.externalId
    const write = repo.put(account, given.rkey, given.record, given.swapRecord)
    return answerXrpc(reply, write.isReply ? 'reply' : 'publish', caller, sessions, deps, () => {
      const { uri, cid } = write.stored
      const commit = write.commit() ? { commit: { cid, rev: given.rkey } } : {}
      return { uri, cid, ...commit, validationStatus: 'valid' }
    })
  })

  // The reference server fails on a taken record key, so callers cannot rely on createRecord to deduplicate. Without a key, it
  // chooses one.
  app.post('/xrpc/com.atproto.repo.createRecord', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'access')
    const { rkey: wanted, ...given } = decode(create, request.body)
    mustBeOwn(given, caller, deps)
    const account = caller.account.externalId
    const rkey = wanted ?? freeKey(account, deps)
    if (repo.get(account, rkey)) throw xrpcRefusal(500, 'InternalServerError', 'Internal Server Error')
    const write = repo.put(account, rkey, given.record, null)
    return answerXrpc(reply, write.isReply ? 'reply' : 'publish', caller, sessions, deps, () => {
      write.commit()
      const { uri, cid } = write.stored
      return { uri, cid, commit: { cid, rev: rkey }, validationStatus: 'valid' }
    })
  })

  app.post('/xrpc/com.atproto.repo.deleteRecord', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'access')
    const given = decode(one, request.body)
    mustBeOwn(given, caller, deps)
    const removed = repo.remove(caller.account.externalId, given.rkey)
    return reply.send(removed ? { commit: { cid: removed.cid, rev: given.rkey } } : {})
  })

  app.get('/xrpc/com.atproto.repo.getRecord', (request, reply) => {
    const given = decode(one, request.query)
    const account = accountOf(given.repo, deps)
    const found = account && given.collection === COLLECTION ? repo.get(account.externalId, given.rkey) : undefined
    if (found) return reply.send(found)
    const uri = `at://${account?.externalId ?? given.repo}/${given.collection}/${given.rkey}`
    throw xrpcRefusal(400, 'RecordNotFound', `Could not locate record: ${uri}`)
  })

  app.get('/xrpc/com.atproto.repo.listRecords', (request, reply) => {
    const { limit, cursor, reverse, ...given } = decode(list, request.query)
    const account = accountOf(given.repo, deps)
    if (!account) throw invalid(`Could not find repo: ${given.repo}`)
    const newestFirst = given.collection === COLLECTION ? repo.list(account.externalId) : []
    const ordered = reverse ? newestFirst.toReversed() : newestFirst
    const isAfter = (key: string): boolean => cursor === undefined || (reverse ? key > cursor : key < cursor)
    const page = ordered.filter(({ uri }) => isAfter(keyOf(uri))).slice(0, limit)
    return sendPage(reply, page)
  })
}

function sendPage(reply: FastifyReply, page: readonly { readonly uri: string }[]): FastifyReply {
  const last = page.at(-1)
  return reply.send({ records: page, ...(last && { cursor: keyOf(last.uri) }) })
}

function keyOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1)
}

/** @throws StandInRefusal 403 for an unknown account, 401 for another's, 400 for another kind of record */
function mustBeOwn(given: { repo: string; collection: string }, { account }: Authenticated, deps: StandInDeps): void {
  const owner = accountOf(given.repo, deps)
  if (!owner) throw xrpcRefusal(403, 'AccountNotFound', 'Account not found')
  if (owner.externalId !== account.externalId) {
    throw xrpcRefusal(401, 'AuthenticationRequired', 'Authentication Required')
  }
  if (given.collection !== COLLECTION) throw invalid(`The sandbox only stores ${COLLECTION}, not ${given.collection}`)
}
