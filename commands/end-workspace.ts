import { account } from '../domain/account/account.ts'
import { competitor } from '../domain/analytics/competitor.ts'
import { parseStreamName, type DomainEvent, type StreamKind } from '../domain/core/event.ts'
import { feed } from '../domain/feed/rss-feed.ts'
import { belongingTo } from '../domain/log/belonging.ts'
import { CATEGORIES } from '../domain/log/event-kinds.ts'
import { createPlaces } from '../domain/log/places.ts'
import { isLiveMedia, media } from '../domain/media/media.ts'
import { draft, isLiveDraft } from '../domain/post/draft.ts'
import { channel, isLiveChannel } from '../domain/notification/channel.ts'
import { post } from '../domain/post/post.ts'
import { recyclingRule } from '../domain/recycling/recycling-rule.ts'
import { isLive as isLiveVideo, video } from '../domain/video/video.ts'
import { webhook } from '../domain/webhook/webhook.ts'
import { apiKey } from '../domain/workspace/api-key.ts'
import { invitation } from '../domain/workspace/invitation.ts'
import { member } from '../domain/workspace/member.ts'
import { user, type ActiveUser } from '../domain/workspace/user.ts'
import { START } from '../event-log/event-log.ts'
import { removeChannel } from './channel.ts'
import { removeCompetitor } from './competitor.ts'
import { disconnectAccount } from './disconnect-account.ts'
import { deleteDraft } from './draft.ts'
import { deleteFeed } from './feed.ts'
import { handle, load, type Cause, type CommandDeps } from './handle.ts'
import { unlinkIdentity } from './identity.ts'
import { deleteRule } from './recycling-rule.ts'
import { revokeInvitation } from './invitation.ts'
import { deleteMedia } from './media.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { cancelSchedule } from './schedule-post.ts'
import { removeMember } from './member.ts'
import { leaveWorkspace, removeUser } from './user.ts'
import { deleteVideo } from './video.ts'
import { deleteWebhook } from './webhook.ts'

/** What `endWorkspace` found. */
export interface EndedWorkspace {
  /** The workspace's events. */
  readonly events: number
  /** Active streams that were ended. */
  readonly ended: number
  /** The ids of all its accounts, also of those disconnected earlier. */
  readonly accountIds: readonly string[]
  /** The same of its feeds. */
  readonly feedIds: readonly string[]
  /** Its users who are in no other workspace: their accounts have ended. */
  readonly endedUsers: readonly (Pick<ActiveUser, 'passwordId' | 'totpId'> & { readonly id: string })[]
}

/** The end of a workspace. */
interface Ends {
  readonly workspaceId: string
  /** Whether a user is in another workspace. */
  isElsewhere(userId: string): boolean
}

type Ending = (deps: CommandDeps, id: string, cause: Cause, ends: Ends) => Promise<{ readonly position?: bigint }>

/**
 * By the event with which it begins, how to end what would otherwise keep running; appends nothing to what has already ended. Who
 * may begin more ends first.
 */
const ENDINGS: Readonly<Record<string, Ending>> = {
  ApiKeyCreated: ending(apiKey, revokeApiKey),
  InvitationCreated: ending(invitation, (state) => (state.status === 'open' ? revokeInvitation(state) : [])),
  // A user who was removed may be one of another workspace now.
  UserCreated: ending(user, (state, { workspaceId, isElsewhere }, id) => {
    if (state.status !== 'active' || state.workspaceId !== workspaceId) return []
    const { hasLeft = false } = state
    if (!hasLeft && !isElsewhere(id)) return removeUser(state)
    // The identity is encrypted with the key of this workspace.
    return [...unlinkIdentity(state), ...(hasLeft ? [] : leaveWorkspace(state))]
  }),
  MemberJoined: async (deps, id, cause, { isElsewhere }) => {
    const { state, position } = await handle(deps, member, id, cause, (now) =>
      now.status === 'active' ? removeMember(now) : [],
    )
    if (state.status !== 'absent' && !isElsewhere(state.userId)) {
      const own = { ...cause, commandId: `${cause.commandId} account` }
      await handle(deps, user, state.userId, own, (now) => (now.status === 'active' ? removeUser(now) : []))
    }
    return { ...(position !== undefined && { position }) }
  },
  FeedAdded: ending(feed, (state) => (state.status === 'deleted' ? [] : deleteFeed(state))),
  RecyclingRuleAdded: ending(recyclingRule, (state) => (state.status === 'deleted' ? [] : deleteRule(state))),
  DraftSaved: ending(draft, (state) => (isLiveDraft(state) ? deleteDraft(state) : [])),
  PostScheduled: ending(post, (state) => (state.status === 'pending' ? cancelSchedule(state) : [])),
  VideoDrafted: ending(video, (state) => (isLiveVideo(state) ? deleteVideo(state) : [])),
  VideoRequested: ending(video, (state) => (isLiveVideo(state) ? deleteVideo(state) : [])),
  UploadStarted: ending(media, (state) => (isLiveMedia(state) ? deleteMedia(state, 'requested') : [])),
  MediaPinned: ending(media, (state) => (state.status === 'pinned' ? deleteMedia(state, 'requested') : [])),
  CompetitorAdded: ending(competitor, (state) => (state.status === 'tracked' ? removeCompetitor(state) : [])),
  WebhookRegistered: ending(webhook, (state) => (state.status === 'deleted' ? [] : deleteWebhook(state))),
  ChannelAdded: ending(channel, (state) => (isLiveChannel(state) ? removeChannel(state, 'requested') : [])),
  AccountConnected: ending(account, disconnectAccount),
}
const ORDER = Object.keys(ENDINGS)

function ending<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  decide: (state: State, ends: Ends, id: string) => readonly Event[],
): Ending {
  return (deps, id, cause, ends) => handle(deps, kind, id, cause, (state) => decide(state, ends, id))
}

/**
 * Ends all that keeps running in a workspace: its keys and invitations are revoked, its users removed, its accounts disconnected, its feeds,
 * rules, webhooks, notification channels, competitors, videos, uploads and drafts deleted, and what is scheduled is canceled. Posts that are being published end on their
 * own, because their accounts are gone. May be repeated. Reads the whole log.
 */
export async function endWorkspace(
  deps: CommandDeps,
  workspaceId: string,
  cause: Cause,
  signal?: AbortSignal,
): Promise<EndedWorkspace> {
  const belongs = belongingTo(workspaceId)
  const begun = new Map<string, string>()
  const places = createPlaces()
  let [events, ended] = [0, 0]
  for await (const delivery of deps.log.subscribe(START, { categories: CATEGORIES, ...(signal && { signal }) })) {
    if (delivery.kind === 'caught-up') break
    for (const event of delivery.events) {
      places.meet(event)
      if (!belongs(event)) continue
      events += 1
      if (Object.hasOwn(ENDINGS, event.type)) begun.set(event.stream, event.type)
    }
  }
  // An aborted subscription ends like one that has read everything.
  signal?.throwIfAborted()
  const ends = { workspaceId, isElsewhere: (userId: string) => places.isElsewhere(userId, workspaceId) }
  for (const type of ORDER) {
    for (const [stream] of [...begun].filter(([, begins]) => begins === type)) {
      signal?.throwIfAborted()
      const own = { ...cause, commandId: `${cause.commandId} ${stream}` }
      const { position } = (await ENDINGS[type]?.(deps, parseStreamName(stream).id, own, ends)) ?? {}
      if (position !== undefined) ended += 1
    }
  }
  const streams = [...begun.keys()].map(parseStreamName)
  const endedUsers: { id: string; passwordId: string; totpId?: string | undefined }[] = []
  for (const id of places.usersOf(workspaceId)) {
    const state = await load(deps.log, user, id)
    if (state.status === 'removed') endedUsers.push({ id, passwordId: state.passwordId, totpId: state.totpId })
  }
  const idsOf = (kind: { readonly category: string }) =>
    streams.filter(({ category }) => category === kind.category).map(({ id }) => id)
  return { events, ended, accountIds: idsOf(account), feedIds: idsOf(feed), endedUsers }
}
