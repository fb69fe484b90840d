import { isoTime } from '../../../infra/runtime/clock.ts'
import { stranger } from '../stranger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { postCounts } from './counts.ts'
import type { Person } from './people.ts'
import type { PostView } from './post-view.ts'
import { COLLECTION } from './record-schema.ts'
import { recordAt } from './stored-record.ts'
import { recordKeyAt } from './tid.ts'

/** How far back their posts reach. */
const REACH_MS = 400 * 86_400_000
/** Names that end with `.test` belong to the sandbox's accounts. */
const HANDLE = /^(?!nobody)(?!.*\.test$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/
const DID = 'did:web:'

/**
 * A simulated outside user. Handles beginning with `nobody` do not exist. The DID contains the handle; a handle beginning with
 * `gone` resolves, but its DID does not.
 */
export function strangerOf(actor: string): Person | undefined {
  const handle = actor.startsWith(DID) ? actor.slice(DID.length) : actor.toLowerCase()
  const isGone = actor.startsWith(`${DID}gone`)
  if (isGone || !HANDLE.test(handle)) return undefined
  return { did: `${DID}${handle}`, handle, displayName: `Stranger ${handle}`.slice(0, 64) }
}

/** Their posts. */
export function strangersPosts(author: Person, { clock }: StandInDeps): readonly PostView[] {
  const now = clock.now()
  return stranger(author.handle)
    .postedBetween(now - REACH_MS, now)
    .map((at) => {
      const createdAt = isoTime(at)
      const record = { $type: COLLECTION, text: `What ${author.handle} has to say`, createdAt }
      const { uri, cid, value } = recordAt(author.did, recordKeyAt(at, author.handle), record)
      const counts = postCounts(uri, now - at)
      return { uri, cid, author, record: value, ...counts, indexedAt: createdAt, viewer: {} }
    })
}
