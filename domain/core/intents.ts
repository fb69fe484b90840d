import { parseStreamName, type RecordedEvent } from './event.ts'

/** What must stand in the same stream before what it came to: by outcome, the events of which one at least was before. */
const INTENTS: Readonly<Record<string, readonly string[]>> = {
  'post/PublishPrepared': ['PublishStarted'],
  'post/PublishProgressed': ['PublishStarted'],
  'post/PublishDeferred': ['PublishStarted'],
  'post/PublishAnswerLost': ['PublishPrepared'],
  'post/AccountPublished': ['PublishPrepared'],
  'post/FirstCommentPosted': ['FirstCommentStarted'],
  'reply/SendAnswerLost': ['SendStarted'],
  'reply/SendDeferred': ['SendStarted'],
  'reply/ReplySent': ['SendStarted'],
  'reply/DraftWritten': ['DraftRequested'],
  'video/RenderSubmitted': ['RenderStarted'],
  'video/PartRendered': ['RenderStarted'],
  'video/VideoReady': ['VideoRequested'],
  'video/VideoMediaExpired': ['VideoReady'],
  'video/VideoFilesDeleted': ['VideoDeleted', 'VideoMediaExpired'],
  'credits/CreditsRefunded': ['CreditsCharged'],
  'delivery/DeliverySucceeded': ['DeliveryQueued'],
  'delivery/DeliveryDeferred': ['DeliveryQueued'],
  'rule/Recycled': ['RecycleStarted'],
}
/** By what an outcome and its intent are told to be of one piece of work. */
const SAME = ['attempt', 'platform', 'accountId', 'part', 'videoId'] as const

type Told = Pick<RecordedEvent, 'stream' | 'type' | 'data'>
type Mark = Readonly<Record<string, unknown>>

const IS_INTENT: ReadonlySet<string> = new Set(Object.values(INTENTS).flat())

/** Keeps the intents of streams whose events it is shown in order. */
export interface IntentBook {
  /** Why an event cannot have come of what was before it in its stream; undefined when it can. */
  missing(event: Told): string | undefined
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
      // Added to, not copied: a workspace's credits have a mark for each of its videos.
      if (IS_INTENT.has(type)) before.push(mark)
      if (before.length > 0) known.set(stream, before)
      return isMeant ? undefined : `${type} without ${intents.join(' or ')} before it`
    },
  }
}

/** No more than what tells which intent it is: a whole log goes through here. */
function markOf(type: string, data: object): Mark {
  const told: Mark = { ...data }
  return {
    type,
    ...Object.fromEntries(SAME.filter((name) => told[name] !== undefined).map((name) => [name, told[name]])),
  }
}

function isOfOne(intent: Mark, outcome: Mark): boolean {
  return SAME.every((name) => [intent[name], outcome[name]].includes(undefined) || intent[name] === outcome[name])
}
