import { createHmac } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import * as z from 'zod'
import type { FileHash } from '../files.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Metadata } from './metadata.ts'
import { googleRefusal } from './refusal.ts'
import { scriptIn, type Script } from './script.ts'

/** Lifetime of a session. Google publishes no number; its storage service says a week. */
const LIFETIME_MS = 7 * 86_400_000

const sessionSchema = z.object({
  id: z.string(),
  bytes: z.number(),
  type: z.string(),
  startedAt: z.number(),
  notifySubscribers: z.boolean(),
  part: z.array(z.string()).default(['snippet', 'status']),
  metadata: z.custom<Metadata>(),
})
export type Session = z.infer<typeof sessionSchema>

/** What has been received. Lost with the process: the session is then empty again. */
export interface Progress {
  next: number
  hash: FileHash
}

export interface Sessions {
  /** @returns the `upload_id`. It contains the signed session itself, so that it survives a restart. */
  open(account: LedgerAccount, session: Omit<Session, 'id' | 'startedAt'>): string
  /** @throws StandInRefusal 404 for a session that is unknown, another account's, forgotten or expired */
  find(account: LedgerAccount, uploadId: string): { readonly session: Session; readonly script: Script }
  progress(session: Session): Progress
  /** The video of a completed session. */
  video(account: LedgerAccount, session: Session): LedgerPost | undefined
}

export function openSessions({ ledger, files, clock, ids }: StandInDeps): Sessions {
  const inProgress = new Map<string, Progress>()
  const video: Sessions['video'] = ({ externalId }, { id }) =>
    ledger.posts('youtube', { accountId: externalId, token: id })[0]
  const gone = (): StandInRefusal => googleRefusal(404, 'notFound', 'Upload session not found')

  return {
    open: (account, given) => {
      const session: Session = { ...given, id: ids.token(), startedAt: clock.now() }
      const text = deflateRawSync(JSON.stringify(session)).toString('base64url')
      return `${text}.${signature(text, account)}`
    },
    find: (account, uploadId) => {
      const [text = '', given] = uploadId.split('.')
      if (signature(text, account) !== given) throw gone()
      const session = sessionSchema.parse(JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString()))
      const script = scriptIn(session.metadata.snippet.description)
      const has = video(account, session) ? session.bytes : (inProgress.get(session.id)?.next ?? 0)
      if (session.startedAt + LIFETIME_MS <= clock.now() || has >= (script.forget ?? Infinity)) throw gone()
      return { session, script }
    },
    progress: ({ id }) => {
      const known = inProgress.get(id)
      if (known) return known
      const empty = { next: 0, hash: files.hash() }
      inProgress.set(id, empty)
      return empty
    },
    video,
  }
}

function signature(text: string, { externalId, secrets }: LedgerAccount): string {
  return createHmac('sha256', `${externalId} ${secrets['clientSecret'] ?? ''}`)
    .update(text)
    .digest('base64url')
}
