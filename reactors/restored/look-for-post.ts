import { account, type AccountState } from '../../domain/account/account.ts'
import { isPlatformKey, type PlatformKey } from '../../domain/core/platform.ts'
import type { Submission } from '../../domain/post/post.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { Look } from '../../infra/postgres/restores.ts'
import type { Outlook, Platform, PlatformError, Published, PublishJob } from '../../platforms/kit/platform.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { noteStanding } from '../platform-calls/account-standing.ts'
import type { LookAlikePosts } from '../publishing/look-alike-posts.ts'
import { findByContent } from '../publishing/find-by-content.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { answerOf, type Answer } from '../platform-calls/platform-failure.ts'
import { publishJob, type JobContent } from '../publishing/publish-job.ts'
import { CALL_TIMEOUT_MS, isFinal } from '../platform-calls/visible-call.ts'

export interface LookDeps extends CommandDeps {
  readonly access: PlatformAccess
  readonly logger: Logger
  readonly alike: Pick<LookAlikePosts, 'others'>
}

/** A post on one account that may have been published by a call that is missing from the log. */
export interface Sought {
  readonly postId: string
  readonly workspaceId: string
  readonly platform: string
  readonly accountId: string
  readonly content: JobContent
  /** The parts of a chain that are known to be published: the next one is sought. */
  readonly published?: readonly PublishedPart[]
  /** A call that is in the log. */
  readonly submission?: Submission | undefined
  /** Identifies this look, so that what it says about the account is recorded once. */
  readonly token: string
}

export type PostLook = { readonly outcome: 'found'; readonly found: Published } | Look

/** Delay (ms) before a platform that could not be reached is asked again, unless it says otherwise. */
const ASK_AGAIN_MS = 30_000
/** Delay (ms) before looking again at an account that has to be reconnected. */
const RECONNECTED_MS = 60_000
const LONGEST_MS = 15 * 60_000
const NO_WAY = 'The platform offers no way to look it up.'

export async function lookForPost(deps: LookDeps, sought: Sought, signal: AbortSignal): Promise<PostLook> {
  const { postId, workspaceId, accountId, content, submission, token } = sought
  const connected = await load(deps.log, account, accountId)
  if (!isPlatformKey(sought.platform) || !isConnected(connected, sought.platform, workspaceId)) {
    return { outcome: 'absent', reason: 'The account is disconnected, so the post is marked as failed.' }
  }
  const platform = deps.access.platform(sought.platform)
  const job = publishJob(postId, { id: accountId, ...connected }, content, platform, sought.published)
  const { text, mediaType, queuedAt } = job
  const submittedAt = isoTime(deps.clock.now())
  const searched = { postId, platform, externalId: connected.externalId, text, mediaType, queuedAt, submittedAt }
  const work = {
    ...deps,
    ...{ platform, job, signal, others: deps.alike.others(searched) },
    onFailure: (failure: PlatformError) => noteStanding(deps, accountId, failure, token),
  }
  const byHandle = submission && (await findByHandle(work, submission))
  if (byHandle && !byHandle.ok && !isFinal(byHandle.failure.kind)) return lookAfter(deps, byHandle.failure)
  if (byHandle?.ok && byHandle.value.outcome === 'found') return byHandle.value
  const byContent = await findByContent(work, Date.parse(queuedAt))
  if (byContent?.ok && byContent.value.outcome === 'found') return byContent.value
  if (byHandle?.ok && byHandle.value.outcome === 'processing') {
    const lookAt = deps.clock.now() + byHandle.value.lookAgainMs
    return { outcome: 'unreachable', reason: 'The platform is still processing it.', lookAt }
  }
  if (!byContent) return { outcome: 'unknown', reason: NO_WAY }
  if (!byContent.ok) return lookAfter(deps, byContent.failure)
  const isDoubtful = byContent.value.outcome === 'unknown' || (byHandle?.ok && byHandle.value.outcome === 'unknown')
  return isDoubtful ? CANNOT_TELL : { outcome: 'absent' }
}

const CANNOT_TELL: Look = { outcome: 'unknown', reason: 'The platform cannot confirm whether it was published.' }

/** Looks up a call that is in the log. A later one may be missing from it, so absence proves nothing. */
async function findByHandle(
  work: Parameters<typeof findByContent>[0] & { readonly platform: Platform; readonly job: PublishJob },
  { handle }: Submission,
): Promise<Answer<Outlook> | undefined> {
  const { access, platform, job, signal, others } = work
  const proof = platform.proof[job.mediaType] ?? 'opaque'
  if (proof === 'opaque' || proof === 'idempotent-key' || !platform.find) return undefined
  return answerOf(work, () =>
    access.run(job.account, CALL_TIMEOUT_MS, signal, async (io) => {
      const outlook = await platform.find?.(job, handle, io, others)
      return outlook ?? { outcome: 'unknown' }
    }),
  )
}

/** The result of a look that failed. */
export function lookAfter({ clock }: CommandDeps, { kind, message, retryAfterMs }: PlatformError): Look {
  const now = clock.now()
  if (kind === 'needs-reauth') return { outcome: 'unknown', reason: message, lookAt: now + RECONNECTED_MS }
  if (isFinal(kind)) return { outcome: 'unknown', reason: message }
  const lookAt = now + Math.min(Math.max(ASK_AGAIN_MS, retryAfterMs ?? 0), LONGEST_MS)
  return { outcome: 'unreachable', reason: message, lookAt }
}

export function isConnected(
  state: AccountState,
  platform: PlatformKey,
  workspaceId: string,
): state is Extract<AccountState, { status: 'connected' | 'disconnected' }> {
  // Treat another workspace's account as nonexistent.
  return state.status === 'connected' && state.platform === platform && state.workspaceId === workspaceId
}
