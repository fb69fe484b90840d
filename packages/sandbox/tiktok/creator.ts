import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { isOverUserCap } from './audit.ts'
import { only } from './fields.ts'
import { decode, envelope } from './refusal.ts'
import { accountScript, usernameOf } from './script.ts'
import { authenticate } from './tokens.ts'

const userQuery = z.strictObject({ fields: z.string().min(1) })
const nothing = z.strictObject({})

/** The caller's identity, and what the account may post. */
export function registerCreator(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v2/user/info/', (request, reply) => {
    const { externalId, label } = authenticate(request.headers.authorization, ['user.info.basic'], deps)
    const user = { open_id: externalId, display_name: usernameOf(label), username: usernameOf(label) }
    const { fields } = decode(userQuery, request.query, 'invalid_params')
    return reply.send(envelope({ user: only(user, fields) }))
  })

  app.post('/v2/post/publish/creator_info/query/', (request, reply) => {
    const account = authenticate(request.headers.authorization, ['video.publish'], deps)
    decode(nothing, request.body)
    const { commentsOff, isPrivate, seconds, creator: asked } = accountScript(account.label)
    const creator = asked ?? (isOverUserCap(account, deps) ? 'reached_active_user_cap' : undefined)
    // TikTok answers this with 200.
    if (creator !== undefined) return reply.send(envelope({}, creator, 'The account cannot post just now.'))
    return reply.send(
      envelope({
        creator_avatar_url: `${deps.baseUrl()}/avatar.webp`,
        creator_username: usernameOf(account.label),
        creator_nickname: usernameOf(account.label),
        privacy_level_options: privacyOptions(account),
        comment_disabled: commentsOff,
        duet_disabled: isPrivate,
        stitch_disabled: isPrivate,
        max_video_post_duration_sec: seconds,
      }),
    )
  })
}

export function privacyOptions({ label }: LedgerAccount): readonly string[] {
  const first = accountScript(label).isPrivate ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE'
  return [first, 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
}
