import { t } from '@lingui/core/macro'
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

const withRetry = ({ field, time }: Told) => t`${field('error').replace(/\.$/, '')}. Trying again ${time('retryAt')}`

/** What each event of a post means to its users. */
export const SENTENCES: Readonly<Record<string, Sentence>> = {
  PostScheduled: ({ who, time }) => t`${who} scheduled it for ${time('dueAt')}`,
  PostRescheduled: ({ who, time }) => t`${who} moved it to ${time('dueAt')}`,
  PostEdited: ({ who }) => t`${who} edited it`,
  PostMediaPinned: null,
  ScheduleCancelled: ({ who }) => t`${who} cancelled it`,
  ApprovalRequested: ({ who }) => t`${who} asked for approval`,
  ApprovalDecided: ({ who, field }) =>
    quoting(DECIDED[field('decision')]?.(who) ?? t`${who} reviewed it`, field('comment')),
  ApprovalCommented: ({ who, field }) => quoting(t`${who} commented`, field('comment')),
  ReviewLinkCreated: ({ who, field }) => t`${who} made a review link for ${field('label')}`,
  ReviewLinkRevoked: ({ who }) => t`${who} revoked a review link`,
  PostHeld: () => t`Not published at its time: nobody had approved it`,
  PostQueued: ({ who, field }) => QUEUED[field('origin')] ?? t`${who} published it`,
  PlatformRefused: ({ platform, field }) => t`Not published on ${platform}: ${field('error')}`,
  PublishStarted: null,
  PublishProgressed: null,
  PublishPrepared: null,
  PublishAnswerLost: ({ account, platform }) =>
    t`The answer of ${platform} was lost. Looking for the post on ${account} before it is sent again`,
  PublishDeferred: (told) => t`Not yet published on ${told.account}: ${withRetry(told)}`,
  AccountPublished: ({ account }) => t`Published on ${account}`,
  AccountPublishFailed: ({ account, platform, field }) => {
    const failed = FAILED[field('code')] ?? ((on) => t`${on} refused it`)
    return `${failed(field('code') === 'permanent' ? platform : account)}: ${field('error')}`
  },
  FirstCommentQueued: null,
  FirstCommentProgressed: null,
  FirstCommentStarted: null,
  FirstCommentDeferred: (told) => t`The first comment on ${told.account} is not published yet: ${withRetry(told)}`,
  FirstCommentPosted: ({ account }) => t`Published the first comment on ${account}`,
  FirstCommentFailed: ({ account, field }) => t`The first comment on ${account} failed: ${field('error')}`,
  UnpublishRequested: ({ who, account }) => t`${who} asked to delete it from ${account}`,
  UnpublishStarted: null,
  UnpublishDeferred: (told) => t`Not yet deleted from ${told.account}: ${withRetry(told)}`,
  AccountUnpublished: ({ account }) => t`Deleted from ${account}`,
  UnpublishFailed: ({ account, field }) => t`Could not be deleted from ${account}: ${field('error')}`,
  UnpublishUnsupported: ({ account, field }) => t`Could not be deleted from ${account}: ${field('error')}`,
  PostTextEdited: ({ who }) => t`${who} edited the text`,
  EditRequested: null,
  EditStarted: null,
  EditDeferred: (told) => t`${told.account} does not have the new text yet: ${withRetry(told)}`,
  AccountEdited: ({ account }) => t`The new text is on ${account}`,
  EditFailed: ({ account, field }) => t`The text on ${account} could not be changed: ${field('error')}`,
  EditUnsupported: ({ account, field }) => t`The text on ${account} stays as it was: ${field('error')}`,
  RetryRequested: ({ who, platform }) => t`${who} tried again on ${platform}`,
  PostFinished: ({ field }) => {
    const [done, total] = [Number(field('okCount')), Number(field('total'))]
    if (done === 0)
      return total === 1 ? t`Finished: it was not published` : t`Finished: published on none of ${total} accounts`
    if (done < total) return t`Finished: published on ${done} of ${total} accounts`
    return total === 1 ? t`Finished: published` : t`Finished: published on all ${total} accounts`
  },
}

const DECIDED: Readonly<Record<string, (who: string) => string>> = {
  approved: (who) => t`${who} approved it`,
  changes_requested: (who) => t`${who} asked for changes`,
  rejected: (who) => t`${who} rejected it`,
}

const QUEUED: Readonly<Record<string, string>> = {
  schedule: t`Its time came, and publishing started`,
  rss: t`A feed had something new, and publishing started`,
  recycling: t`A recycling rule published it again`,
  demo: t`Made for the demo, as if it had been published then`,
}

const FAILED: Readonly<Record<string, (on: string) => string>> = {
  no_account: (on) => t`Not published on ${on}`,
  needs_reauth: (on) => t`Not published on ${on}, which has to be reconnected`,
  gave_up: (on) => t`Gave up on ${on}`,
  unknown: (on) => t`It may or may not be on ${on}`,
  missed: (on) => t`Missed its time on ${on}`,
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
  const account = field('accountId') === '' ? platform : t`${platform} as ${nameOf.account(field('accountId'))}`
  const name = by.label ?? by.id
  const who = nameOfActor({ kind: by.via ? 'agent' : KINDS[by.kind], name })
  const time = (name: string) => (field(name) === '' ? t`later` : onDay(field(name)))
  return (
    sentence?.({
      who: who.startsWith(name) ? who : who.slice(0, 1).toUpperCase() + who.slice(1),
      platform,
      account,
      field,
      time,
    }) ?? null
  )
}

function quoting(sentence: string, comment: string): string {
  return comment === '' ? sentence : t`${sentence}: “${comment}”`
}
