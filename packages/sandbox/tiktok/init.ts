import type { FastifyInstance, FastifyReply } from 'fastify'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPhotoInit, answerVideoInit } from './answer.ts'
import { DAY_MS, mustBeAudited } from './audit.ts'
import { privacyOptions } from './creator.ts'
import { isVerified } from './download.ts'
import { newInboxVideo, newPhoto, newVideo, type Upload } from './init-schemas.ts'
import type { Photos } from './photos.ts'
import { perMinute } from './rate.ts'
import { decode, envelope, refusal } from './refusal.ts'
import { accountScript, postScript } from './script.ts'
import { addTask, uploadIdOf } from './tasks.ts'
import { authenticate } from './tokens.ts'

const UPLOAD_LIFETIME_MS = 3_600_000
const MOST_PENDING = 5

/**
 * Starts video uploads and photo posts.
 *
 * @param limit of all together, per minute and account
 */
export function registerInit(app: FastifyInstance, photos: Photos, limit: number, deps: StandInDeps): void {
  const count = perMinute(limit, deps)

  app.post('/v2/post/publish/video/init/', (request, reply) => {
    const account = authenticate(request.headers.authorization, ['video.publish'], deps)
    const { post_info: info, source_info: source } = decode(newVideo, request.body)
    const { title: caption = '' } = info
    mustBePostable(account, info, caption, deps)
    count(account.externalId)
    return begin(reply, account, { caption, isForInbox: false, info }, source)
  })

  app.post('/v2/post/publish/inbox/video/init/', (request, reply) => {
    const account = authenticate(request.headers.authorization, ['video.upload'], deps)
    const { source_info: source } = decode(newInboxVideo, request.body)
    mustHaveRoom(account, deps)
    count(account.externalId)
    return begin(reply, account, { caption: '', isForInbox: true, info: {} }, source)
  })

  app.post('/v2/post/publish/content/init/', (request, reply) => {
    const { authorization } = request.headers
    authenticate(authorization, ['video.publish', 'video.upload'], deps)
    const { post_mode: mode, post_info: info, source_info: source } = decode(newPhoto, request.body)
    const isForInbox = mode === 'MEDIA_UPLOAD'
    const account = authenticate(authorization, [isForInbox ? 'video.upload' : 'video.publish'], deps)
    const { title = '', description: caption = title } = info
    const [url = '', ...more] = source.photo_images
    const verified = deps.ledger.verifiedUrls('tiktok')
    if (![url, ...more].every((one) => isVerified(one, verified))) {
      throw refusal(
        'url_ownership_unverified',
        'Please review our URL ownership verification rules at https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide#pull_from_url',
      )
    }
    if ('privacy_level' in info) mustBePostable(account, info, caption, deps)
    else mustHaveRoom(account, deps)
    count(account.externalId)
    return answerPhotoInit(reply, account, deps, () => {
      const task = addTask(account, 'image', { caption, isForInbox, info, url, more }, deps)
      void photos.fetch(task)
      return { status: 200, body: envelope({ publish_id: task.publishId }) }
    })
  })

  function begin(
    reply: FastifyReply,
    account: LedgerAccount,
    given: { readonly caption: string; readonly isForInbox: boolean; readonly info: Record<string, unknown> },
    { video_size: bytes, chunk_size: chunkBytes, total_chunk_count }: Upload,
  ): Promise<FastifyReply> {
    return answerVideoInit(reply, account, deps, () => {
      const endsAt = deps.clock.now() + UPLOAD_LIFETIME_MS
      const upload = { bytes, chunkBytes, count: total_chunk_count, token: deps.ids.token(), endsAt }
      const task = addTask(account, 'video', { ...given, upload }, deps)
      const query = new URLSearchParams({ upload_id: uploadIdOf(task), upload_token: upload.token })
      const body = envelope({ publish_id: task.publishId, upload_url: `${deps.baseUrl()}/video/?${query}` })
      return { status: 200, body }
    })
  }
}

function mustBePostable(
  account: LedgerAccount,
  info: { readonly privacy_level: string; readonly disable_comment: boolean },
  caption: string,
  deps: StandInDeps,
): void {
  if (!privacyOptions(account).includes(info.privacy_level)) throw refusal('privacy_level_option_mismatch')
  mustBeAudited(account, info.privacy_level, deps)
  if (accountScript(account.label).commentsOff && !info.disable_comment) {
    throw refusal('invalid_param', 'disable_comment: the creator has switched comments off')
  }
  const { refuse } = postScript(caption)
  if (refuse !== undefined) throw refusal(refuse)
}

/** An inbox takes 5 uploads in 24 hours, until their creator publishes them. */
function mustHaveRoom({ externalId: accountId }: LedgerAccount, { ledger, clock }: StandInDeps): void {
  const since = isoTime(clock.now() - DAY_MS)
  const pending = ledger.posts('tiktok', { accountId }).filter(({ isDraft, createdAt }) => isDraft && createdAt > since)
  if (pending.length >= MOST_PENDING) throw refusal('spam_risk_too_many_pending_share')
}
