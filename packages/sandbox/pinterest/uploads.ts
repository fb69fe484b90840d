import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { digits } from './ids.ts'
import { pinterestRefusal } from './refusal.ts'
import type { VideoScript } from './script.ts'

/** Lifetime of a signed form in milliseconds. Undocumented. */
const FORM_LIFETIME_MS = 3_600_000

export type Parameters = Readonly<Record<string, string>>
type Status = 'registered' | 'processing' | 'succeeded' | 'failed'

interface Video {
  readonly accountId: string
  readonly parameters: Parameters
  readonly endsAt: number
  /** Set once it is uploaded. */
  script?: VideoScript
  looks: number
  lost: boolean
}

/** Pending videos, in memory only: after a restart they are unknown and must be uploaded again. */
export interface Uploads {
  register(account: LedgerAccount): { mediaId: string; parameters: Parameters }
  /** The video of a submitted form. `key` is the form's field of that name. */
  byForm(fields: Parameters): { mediaId: string; accountId: string } | 'refused' | 'ended'
  /** @returns false when the script makes the storage refuse these bytes this time */
  arrive(mediaId: string, sha256: string, script: VideoScript): boolean
  /**
   * Advances processing by one step.
   *
   * @throws StandInRefusal 404
   */
  look(account: LedgerAccount, mediaId: string): Status
  /** @throws StandInRefusal 404 */
  script(account: LedgerAccount, mediaId: string): { status: Status; darkStart: boolean }
}

export function uploads(deps: StandInDeps): Uploads {
  const videos = new Map<string, Video>()
  const arrivals = new Map<string, number>()

  const known = (account: LedgerAccount, mediaId: string): Video => {
    const video = videos.get(mediaId)
    // Pinterest does not document the code.
    if (!video || video.lost || video.accountId !== account.externalId) {
      throw pinterestRefusal(404, 404, 'Media not found.')
    }
    return video
  }
  const statusOf = ({ script, looks }: Video): Status => {
    if (!script || (script.looks > 0 && looks === 1)) return 'registered'
    return looks <= script.looks ? 'processing' : script.ends
  }

  return {
    register: (account) => {
      const mediaId = digits(deps.ids)
      const parameters = signed(mediaId, deps)
      const endsAt = deps.clock.now() + FORM_LIFETIME_MS
      videos.set(mediaId, { accountId: account.externalId, parameters, endsAt, looks: 0, lost: false })
      return { mediaId, parameters }
    },
    byForm: (fields) => {
      const mediaId = fields['key']?.split('/').at(-1) ?? ''
      const video = videos.get(mediaId)
      if (!video || !same(fields, video.parameters)) return 'refused'
      return video.endsAt <= deps.clock.now() ? 'ended' : { mediaId, accountId: video.accountId }
    },
    arrive: (mediaId, sha256, script) => {
      const video = videos.get(mediaId)
      const before = arrivals.get(sha256) ?? 0
      arrivals.set(sha256, before + 1)
      if (!video || (script.refusal && before === 0)) return false
      video.script = script
      video.lost = before < script.lostUploads
      return true
    },
    look: (account, mediaId) => {
      const video = known(account, mediaId)
      if (video.script) video.looks += 1
      return statusOf(video)
    },
    script: (account, mediaId) => {
      const video = known(account, mediaId)
      return { status: statusOf(video), darkStart: video.script?.darkStart ?? false }
    },
  }
}

function same(one: Parameters, other: Parameters): boolean {
  const names = Object.keys(other)
  return Object.keys(one).length === names.length && names.every((name) => one[name] === other[name])
}

/** The fields of an S3 form upload (browser-based uploads using POST). */
function signed(mediaId: string, { clock, ids }: StandInDeps): Parameters {
  const date = isoTime(clock.now()).replaceAll(/[-:]|\.\d+/g, '')
  return {
    'x-amz-date': date,
    'x-amz-signature': ids.token().replaceAll('-', ''),
    'x-amz-security-token': ids.token(),
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    key: `uploads/video/${mediaId}`,
    policy: Buffer.from(JSON.stringify({ key: mediaId })).toString('base64'),
    'x-amz-credential': `SANDBOX/${date.slice(0, 8)}/us-east-1/s3/aws4_request`,
    'Content-Type': 'multipart/form-data',
  }
}
