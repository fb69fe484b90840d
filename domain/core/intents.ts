import { parseStreamName, type RecordedEvent } from './event.ts'

/** The intents of each outcome: at least one of these events must precede it in its stream. */
const INTENTS: Readonly<Record<string, readonly string[]>> = {
  'post/PublishPrepared': ['PublishStarted'],
  'post/PublishProgressed': ['PublishStarted'],
  'post/PublishDeferred': ['PublishStarted'],
  'post/PublishAnswerLost': ['PublishPrepared'],
  'post/AccountPublished': ['PublishPrepared'],
  'post/FirstCommentProgressed': ['FirstCommentQueued'],
  'post/FirstCommentPosted': ['FirstCommentStarted'],
  'post/UnpublishDeferred': ['UnpublishStarted'],
  'post/AccountUnpublished': ['UnpublishStarted'],
  'post/EditDeferred': ['EditStarted'],
  'post/AccountEdited': ['EditStarted'],
  'reply/SendProgressed': ['ReplyApproved'],
  'reply/SendAnswerLost': ['SendStarted'],
  'reply/SendDeferred': ['SendStarted'],
  'reply/ReplySent': ['SendStarted'],
  'reply/DraftWritten': ['DraftRequested'],
  'video/RenderSubmitted': ['RenderStarted'],
  'video/PartRendered': ['RenderStarted'],
  'video/VideoReady': ['VideoRequested'],
  'video/VideoMediaExpired': ['VideoReady'],
  'video/VideoFilesDeleted': ['VideoDeleted', 'VideoMediaExpired'],
  'media/UploadCompleted': ['UploadStarted'],
  'media/MediaFilesDeleted': ['MediaDeleted'],
  'credits/CreditsRefunded': ['CreditsCharged'],
  'delivery/DeliverySucceeded': ['DeliveryQueued'],
  'delivery/DeliveryDeferred': ['DeliveryQueued'],
  'rule/Recycled': ['RecycleStarted'],
}
/** Fields that must match between an outcome and its intent, where both have them. */
const SAME = ['attempt', 'platform', 'accountId', 'part', 'videoId'] as const

type Recorded = Pick<RecordedEvent, 'stream' | 'type' | 'data'>
type Mark = Readonly<Record<string, unknown>>

const IS_INTENT: ReadonlySet<string> = new Set(Object.values(INTENTS).flat())

/** Tracks the intents of streams. Expects each stream's events in order. */
export interface IntentBook {
  /** Why an event cannot follow from those before it in its stream; undefined when it can. */
  missing(event: Recorded): string | undefined
}

export function intentBook(): IntentBook {
  const known = new Map<string, Mark[]>()
  return {
    missing: (event) => {
      const { stream, type, data } = event
      const before = known.get(stream) ?? []
      const mark = markOf(type, data)
      const intents = INTENTS[`${parseStreamName(stream).category}/${type}`]
      const isMeant = !intents || before.some((one) => intents.includes(String(one['type'])) && isOfOne(one, mark))
      // Mutated, not copied: a workspace's credits stream has a mark for each of its videos.
      if (IS_INTENT.has(type)) before.push(mark)
      if (before.length > 0) known.set(stream, before)
      return isMeant ? undefined : `${type} without ${intents.join(' or ')} before it`
    },
  }
}

/** Keeps only what identifies an intent, because a whole log is checked in one pass. */
function markOf(type: string, data: object): Mark {
  const fields: Mark = { ...data }
  return {
    type,
    ...Object.fromEntries(SAME.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]])),
  }
}

function isOfOne(intent: Mark, outcome: Mark): boolean {
  return SAME.every((name) => [intent[name], outcome[name]].includes(undefined) || intent[name] === outcome[name])
}
