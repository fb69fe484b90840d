import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerComment } from '../ledger.ts'
import { SandboxRefusal } from '../refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { newDid } from './identity.ts'
import { COLLECTION } from './record-schema.ts'
import { detailsOf, recordAt, storedIn } from './stored-record.ts'
import { freeKey } from './tid.ts'

type Given = Pick<LedgerComment, 'accountId' | 'postId' | 'author' | 'text'>

/** A fan's comment is a record of their own on a server outside the sandbox: a reply, or a post that mentions the account. */
export function fansRecord(given: Given, deps: StandInDeps): Pick<LedgerComment, 'id' | 'details'> {
  const record = {
    $type: COLLECTION,
    text: given.text,
    ...(given.postId === undefined ? { facets: [mention(given)] } : { reply: answer(given.postId, deps) }),
    createdAt: isoTime(deps.clock.now()),
  }
  const did = newDid(`fan ${given.author}`)
  const stored = recordAt(did, freeKey(did, deps), record)
  return { id: stored.uri, details: detailsOf(stored) }
}

/** Covers the whole text, which need not contain the account's name. */
function mention({ accountId, text }: Given): object {
  const index = { byteStart: 0, byteEnd: Buffer.byteLength(text, 'utf8') }
  return { index, features: [{ $type: 'app.bsky.richtext.facet#mention', did: accountId }] }
}

function answer(uri: string, { ledger }: StandInDeps): object {
  const post = ledger.post('bluesky', uri)
  const there = post && storedIn(post)
  if (!there) throw new SandboxRefusal(400, 'invalid_request', 'postId: no such record')
  const reference = { uri, cid: there.cid }
  return { root: reference, parent: reference }
}
