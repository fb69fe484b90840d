import * as z from 'zod'
import { errorTable, type ErrorRow } from '../kit/errors.ts'
import { PlatformError } from '../kit/platform.ts'
import { heard, jsonOf } from '../kit/rest.ts'
import { untilPacificMidnight } from './pacific.ts'

const reasons = z.array(z.object({ reason: z.string().catch('') })).catch([])
const errorAnswer = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: z.string().catch(''),
    errors: reasons,
    details: reasons,
  }),
})

const QUOTA = {
  kind: 'retryable',
  text: 'The quota of the Google Cloud project is used up until midnight Pacific time',
  accountRests: true,
} satisfies ErrorRow

/** By `errors[].reason`, the reason in `details`, or `status`. Anything else is classified by HTTP status. */
const errors = errorTable({
  name: 'YouTube',
  rows: {
    scope: {
      codes: ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'],
      kind: 'forbidden',
      text: 'The access does not cover this. Connect the account again with the scope youtube.force-ssl',
    },
    channel: {
      codes: [
        'youtubeSignupRequired',
        'authenticatedUserNotChannel',
        'authenticatedUserAccountClosed',
        'authenticatedUserAccountSuspended',
        'channelClosed',
        'channelSuspended',
        'ineligibleAccount',
      ],
      kind: 'permanent',
      limit: 'resource_forbidden',
      text: 'The Google account has no YouTube channel that can be posted to',
    },
    quota: { ...QUOTA, codes: ['quotaExceeded', 'dailyLimitExceeded'] },
    'daily quota': { ...QUOTA, codes: ['rateLimitExceeded'], says: /per day/i },
    uploads: {
      codes: ['uploadLimitExceeded'],
      kind: 'retryable',
      text: 'YouTube accepts no more uploads from this channel for about a day',
      waitMs: 86_400_000,
      accountRests: true,
    },
    metadata: {
      codes: [
        'invalidTitle',
        'invalidDescription',
        'invalidTags',
        'invalidCategoryId',
        'invalidVideoMetadata',
        'invalidPublishAt',
        'mediaBodyRequired',
        'invalidFilename',
      ],
      kind: 'permanent',
      text: 'YouTube does not accept the title, description or settings',
    },
    setting: {
      codes: ['forbiddenPrivacySetting', 'forbiddenLicenseSetting', 'forbidden'],
      kind: 'permanent',
      text: 'YouTube does not allow this for the account',
    },
    video: { codes: ['videoNotFound'], kind: 'permanent', text: 'YouTube does not have the video' },
    thumbnail: {
      codes: ['invalidImage'],
      kind: 'permanent',
      text: 'YouTube does not accept the image',
    },
    playlist: {
      codes: [
        'playlistNotFound',
        'playlistItemsNotAccessible',
        'playlistContainsMaximumNumberOfVideos',
        'playlistOperationUnsupported',
      ],
      kind: 'permanent',
      text: 'YouTube adds no video to this playlist',
    },
    reply: {
      codes: [
        'parentIdMissing',
        'commentTextRequired',
        'commentTextTooLong',
        'channelOrVideoIdMissing',
        'invalidCommentMetadata',
        'invalidCommentThreadMetadata',
        'invalidCustomEmoji',
      ],
      kind: 'permanent',
      text: 'YouTube does not accept the comment',
    },
    disabled: {
      codes: ['commentsDisabled'],
      kind: 'permanent',
      text: 'The video has no comments: they are turned off, or it is private or made for kids',
    },
    closed: {
      codes: ['operationNotSupported', 'parentCommentIsPrivate'],
      kind: 'permanent',
      text: 'YouTube does not accept replies to this comment',
    },
    gone: {
      codes: ['parentCommentNotFound', 'commentNotFound', 'commentThreadNotFound'],
      kind: 'permanent',
      text: 'YouTube no longer has the comment',
    },
    // "While this can be a transient error": the documentation does not say that the call had no effect.
    unprocessed: { codes: ['processingFailure'], kind: 'lost', text: 'YouTube could not process the request' },
    'API off': {
      codes: ['accessNotConfigured', 'SERVICE_DISABLED'],
      kind: 'permanent',
      limit: 'app_not_approved',
      text: 'The YouTube Data API is not enabled in the Google Cloud project',
    },
  },
  common: {
    'rate limit': { codes: ['rateLimitExceeded', 'userRateLimitExceeded', 'servingLimitExceeded'] },
  },
  read: (response) => {
    const {
      message = '',
      status = '',
      errors = [],
      details = [],
    } = errorAnswer.safeParse(jsonOf(response)).data?.error ?? {}
    const codes = [...[...errors, ...details].map(({ reason }) => reason), status]
    return { codes, said: message, details: heard(response.status, message) }
  },
  waitOf: ({ refusal, waitMs, askedMs, now }) =>
    refusal.endsWith('quota') ? untilPacificMidnight(now) : (waitMs ?? askedMs),
})

export const { refused } = errors

/** @param used such as `100 of 100` */
export function quotaUsedUp(used: string, now: number): PlatformError {
  const { kind, text, accountRests } = QUOTA
  return new PlatformError(kind, `${text} (${used}).`, { accountRests, retryAfterMs: untilPacificMidnight(now) })
}

/** Whether a call was refused because YouTube does not know the video, or not yet everywhere. */
export function isUnknownVideo(error: unknown): boolean {
  return errors.is(error, 'video')
}

/** Whether a call was refused, without effect, because the access token is expired or invalid. */
export function isExpired(error: unknown): boolean {
  return errors.is(error, 'token')
}
