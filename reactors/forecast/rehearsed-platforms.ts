import type { PlatformKey } from '../../domain/core/platform.ts'
import { mediaOf } from '../../domain/post/post-media.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { brokenRules } from '../../platforms/kit/checked-media.ts'
import type { FirstComment } from '../../platforms/kit/first-comment.ts'
import { mediaGone } from '../../platforms/kit/media-spool.ts'
import { takingFor } from '../../platforms/kit/options-for.ts'
import { PlatformError, type Platform, type PublishJob } from '../../platforms/kit/platform.ts'
import type { Ledger } from './ledger.ts'

/** What is known without a platform. */
export interface Known {
  readonly clock: Clock
  readonly ledger: Ledger
  /** When the access to accounts ends that cannot be renewed, ms since the epoch, by the account's id. */
  readonly accessEnds: ReadonlyMap<string, number>
  /** Whether a URL is of a file that this service no longer has. */
  isGone(url: string): boolean
  /** Whether a platform counts the posts of an account. */
  isCounted(account: PublishJob['account']): boolean
}

const ACCESS_ENDED = 'The access to the account has ended. Connect the account again.'

/** A connector that accepts and refuses what its platform would, as far as it is known, and calls nobody. */
export function rehearsed(platform: Platform, known: Known): Platform {
  const { clock, ledger } = known
  return {
    ...platform,
    prepare: async (job) => {
      const { id } = job.account
      if ((known.accessEnds.get(id) ?? Infinity) <= clock.now()) throw new PlatformError('needs-reauth', ACCESS_ENDED)
      if (mediaOf(job).some(({ url }) => known.isGone(url))) throw mediaGone()
      const broken = brokenRules(takingFor(platform, job.options), job)
      if (broken.length > 0) throw new PlatformError('permanent', broken.join(' '))
      mustHaveQuota(platform, job, known)
      return { outcome: 'ready', handle: {} }
    },
    publish: async (job) => {
      ledger.published(job.account, job.text, clock.now(), isCounted(job))
      return { outcome: 'published', published: { postId: job.key } }
    },
    ...(platform.firstComment && { firstComment: rehearsedComment(platform.firstComment, known) }),
  }
}

function mustHaveQuota({ quota }: Platform, job: PublishJob, { clock, ledger, ...known }: Known): void {
  if (!quota || !isCounted(job) || !known.isCounted(job.account)) return
  const now = clock.now()
  const used = ledger.countSince(job.account.id, quota.since(now))
  if (used >= quota.posts) throw quota.refusal(`${used} of ${quota.posts}`, now)
}

/** Replies, such as the later parts of a chain, have quotas of their own. */
function isCounted({ inReplyTo }: PublishJob): boolean {
  return inReplyTo === undefined
}

function rehearsedComment({ prepare: _, ...connector }: FirstComment, { clock, ledger }: Known): FirstComment {
  return {
    ...connector,
    post: async ({ account }, _published, { text }) => {
      ledger.published(account, text, clock.now(), false)
      return undefined
    },
    find: async () => ({ outcome: 'unknown' }),
  }
}

/** Connectors by platform, each made once. */
export function rehearsedPlatforms(platformOf: (key: PlatformKey) => Platform, known: Known) {
  const made = new Map<PlatformKey, Platform>()
  return (key: PlatformKey): Platform => {
    const platform = made.get(key) ?? rehearsed(platformOf(key), known)
    made.set(key, platform)
    return platform
  }
}
