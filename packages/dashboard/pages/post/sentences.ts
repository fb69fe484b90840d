import type { TimelineEvent } from '../../client/types.ts'
import { nameOfActor } from '../../parts/actor.ts'
import { onDay } from '../../parts/time.ts'

const KINDS = { 'api-key': 'key', reactor: 'system', user: 'user', cli: 'cli', guest: 'guest' } as const

/** An event as its sentence needs it. */
export interface Told {
  /** Who did it, as a sentence begins. */
  readonly who: string
  /** The platform, and with its account: `X as Our brand`. */
  readonly platform: string
  readonly account: string
  /** A field of the event, as text; empty if it has none. */
  field(name: string): string
  /** A time in the event, by calendar day. */
  time(name: string): string
}

/** Null for a step on the way, which only matters to those who look for details. */
type Sentence = ((told: Told) => string) | null

const withRetry = ({ field, time }: Told) => `${field('error').replace(/\.$/, '')}. Trying again ${time('retryAt')}`

/** What each event of a post means to its users. */
export const SENTENCES: Readonly<Record<string, Sentence>> = {
  PostScheduled: ({ who, time }) => `${who} scheduled it for ${time('dueAt')}`,
  PostRescheduled: ({ who, time }) => `${who} moved it to ${time('dueAt')}`,
  PostEdited: ({ who }) => `${who} edited it`,
  PostMediaPinned: null,
  ScheduleCancelled: ({ who }) => `${who} cancelled it`,
  ApprovalRequested: ({ who }) => `${who} asked for approval`,
  ApprovalDecided: ({ who, field }) =>
    `${who} ${DECIDED[field('decision')] ?? 'reviewed it'}${quoted(field('comment'))}`,
  ApprovalCommented: ({ who, field }) => `${who} commented${quoted(field('comment'))}`,
  ReviewLinkCreated: ({ who, field }) => `${who} made a review link for ${field('label')}`,
  ReviewLinkRevoked: ({ who }) => `${who} revoked a review link`,
  PostHeld: () => 'Not published at its time: nobody had approved it',
  PostQueued: ({ who, field }) => QUEUED[field('origin')] ?? `${who} published it`,
  PlatformRefused: ({ platform, field }) => `Not published on ${platform}: ${field('error')}`,
  PublishStarted: null,
  PublishProgressed: null,
  PublishPrepared: null,
  PublishAnswerLost: ({ account, platform }) =>
    `The answer of ${platform} was lost. Looking for the post on ${account} before it is sent again`,
  PublishDeferred: (told) => `Not yet published on ${told.account}: ${withRetry(told)}`,
  AccountPublished: ({ account }) => `Published on ${account}`,
  AccountPublishFailed: ({ account, platform, field }) => {
    const failed = FAILED[field('code')] ?? ((on) => `${on} refused it`)
    return `${failed(field('code') === 'permanent' ? platform : account)}: ${field('error')}`
  },
  FirstCommentQueued: null,
  FirstCommentProgressed: null,
  FirstCommentStarted: null,
  FirstCommentDeferred: (told) => `The first comment on ${told.account} is not published yet: ${withRetry(told)}`,
  FirstCommentPosted: ({ account }) => `Published the first comment on ${account}`,
  FirstCommentFailed: ({ account, field }) => `The first comment on ${account} failed: ${field('error')}`,
  UnpublishRequested: ({ who, account }) => `${who} asked to delete it from ${account}`,
  UnpublishStarted: null,
  UnpublishDeferred: (told) => `Not yet deleted from ${told.account}: ${withRetry(told)}`,
  AccountUnpublished: ({ account }) => `Deleted from ${account}`,
  UnpublishFailed: ({ account, field }) => `Could not be deleted from ${account}: ${field('error')}`,
  UnpublishUnsupported: ({ account, field }) => `Could not be deleted from ${account}: ${field('error')}`,
  PostTextEdited: ({ who }) => `${who} edited the text`,
  EditRequested: null,
  EditStarted: null,
  EditDeferred: (told) => `${told.account} does not have the new text yet: ${withRetry(told)}`,
  AccountEdited: ({ account }) => `The new text is on ${account}`,
  EditFailed: ({ account, field }) => `The text on ${account} could not be changed: ${field('error')}`,
  EditUnsupported: ({ account, field }) => `The text on ${account} stays as it was: ${field('error')}`,
  RetryRequested: ({ who, platform }) => `${who} tried again on ${platform}`,
  PostFinished: ({ field }) => {
    const [done, total] = [Number(field('okCount')), Number(field('total'))]
    if (done === 0)
      return total === 1 ? 'Finished: it was not published' : `Finished: published on none of ${total} accounts`
    if (done < total) return `Finished: published on ${done} of ${total} accounts`
    return total === 1 ? 'Finished: published' : `Finished: published on all ${total} accounts`
  },
}

const DECIDED: Readonly<Record<string, string>> = {
  approved: 'approved it',
  changes_requested: 'asked for changes',
  rejected: 'rejected it',
}

const QUEUED: Readonly<Record<string, string>> = {
  schedule: 'Its time came, and publishing started',
  rss: 'A feed had something new, and publishing started',
  recycling: 'A recycling rule published it again',
  demo: 'Made for the demo, as if it had been published then',
}

const FAILED: Readonly<Record<string, (on: string) => string>> = {
  no_account: (on) => `Not published on ${on}`,
  needs_reauth: (on) => `Not published on ${on}, which has to be reconnected`,
  gave_up: (on) => `Gave up on ${on}`,
  unknown: (on) => `It may or may not be on ${on}`,
  missed: (on) => `Missed its time on ${on}`,
}

/**
 * @param nameOf the names of platforms and accounts
 * @returns null for a step on the way
 */
export function sentenceOf(
  { type, data, by, summary }: TimelineEvent,
  nameOf: { platform(key: string): string; account(id: string): string },
): string | null {
  const sentence = SENTENCES[type]
  // From a service that is newer than this page.
  if (sentence === undefined) return summary
  const field = (name: string): string => {
    const value = data[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const platform = nameOf.platform(field('platform'))
  const account = field('accountId') === '' ? platform : `${platform} as ${nameOf.account(field('accountId'))}`
  const who = nameOfActor({ kind: by.via ? 'agent' : KINDS[by.kind], name: by.label ?? by.id })
  const time = (name: string) => (field(name) === '' ? 'later' : onDay(field(name)))
  return (
    sentence?.({
      who: who.replace(/^(the|an) /, (first) => first[0]?.toUpperCase() + first.slice(1)),
      platform,
      account,
      field,
      time,
    }) ?? null
  )
}

function quoted(comment: string): string {
  return comment === '' ? '' : `: “${comment}”`
}
