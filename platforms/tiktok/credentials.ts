import * as z from 'zod'
import { checkedCredentials, optionalText } from '../kit/credentials.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import { PlatformError, type Credentials, type PlatformIo, type PublishJob } from '../kit/platform.ts'
import { PRIVACY_LEVELS, tiktokOptions, type TiktokOptions } from './options.ts'

/** Not a level of TikTok's: posts go to the creator's inbox, and the creator chooses the level, as everything else, in the app. */
const INBOX = 'INBOX'
const CHOICES = [...PRIVACY_LEVELS, INBOX] as const

const flag = (what: string) => z.enum(['true', 'false']).optional().describe(`${what}: true or false (default)`)

export const credentialsSchema = z.object({
  ...tokenFields,
  refreshExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('when the refresh token expires, ISO 8601 UTC; updated automatically'),
  clientId: optionalText.describe('client key of the TikTok app; required to renew the access token'),
  clientSecret: optionalText.describe('client secret of the TikTok app; required to renew the access token'),
  // No default: TikTok requires the creator to choose it.
  privacyLevel: z
    .enum(CHOICES)
    .describe(
      `who can see the posts: ${CHOICES.join(', ')}. With ${INBOX} each is uploaded to the TikTok inbox of the account's owner, who publishes it in the TikTok app`,
    ),
  disableComment: flag('whether comments are disabled'),
  disableDuet: flag('whether duets with the videos are disabled'),
  disableStitch: flag('whether stitching the videos is disabled'),
  brandContent: flag('whether the posts promote a third party (paid partnership)'),
  brandOrganic: flag("whether the posts promote the creator's own business"),
  aiGenerated: flag('whether the videos are labeled as AI-generated'),
  autoAddMusic: flag('whether TikTok adds music to images'),
})

/** The settings of one post, or of every post of an account. */
export interface Settings {
  readonly privacyLevel: (typeof CHOICES)[number]
  readonly disableComment: boolean
  readonly disableDuet: boolean
  readonly disableStitch: boolean
  readonly brandContent: boolean
  readonly brandOrganic: boolean
  readonly aiGenerated: boolean
  readonly autoAddMusic: boolean
}

/** Whether posts go to the inbox of the account's owner. */
export function isForInbox({ privacyLevel }: { readonly privacyLevel?: string }): boolean {
  return privacyLevel === INBOX
}

/** What the post sets, otherwise what its account has. @throws PlatformError naming each wrong field */
export async function settingsFor(job: PublishJob, io: Pick<PlatformIo, 'credentials'>): Promise<Settings> {
  const ofPost = checkedOptions(tiktokOptions, job)
  const credentials = await io.credentials.read()
  const usual = settingsOf(credentials)
  const privacyLevel = levelOf(ofPost, usual)
  if (ofPost.mode !== undefined) mustCover(privacyLevel, credentials)
  return {
    privacyLevel,
    disableComment: opposite(ofPost.allowComment) ?? usual.disableComment,
    disableDuet: opposite(ofPost.allowDuet) ?? usual.disableDuet,
    disableStitch: opposite(ofPost.allowStitch) ?? usual.disableStitch,
    brandContent: ofPost.brandContent ?? usual.brandContent,
    brandOrganic: ofPost.brandOrganic ?? usual.brandOrganic,
    aiGenerated: ofPost.isAigc ?? usual.aiGenerated,
    autoAddMusic: usual.autoAddMusic,
  }
}

function levelOf({ mode, privacyLevel }: TiktokOptions, usual: Settings): Settings['privacyLevel'] {
  if (mode === 'inbox' || (mode === undefined && isForInbox(usual))) return INBOX
  const level = privacyLevel ?? usual.privacyLevel
  if (level !== INBOX) return level
  const message = `privacyLevel is required with the mode direct, as the account publishes from its inbox: ${PRIVACY_LEVELS.join(', ')}.`
  throw new PlatformError('permanent', message)
}

/** The scope that a post needs, whichever way it is published. */
export function scopeFor(chosen: { readonly privacyLevel?: string }): string {
  return isForInbox(chosen) ? 'video.upload' : 'video.publish'
}

/** @throws PlatformError `permanent`: other posts of the account may need another scope, which it has */
function mustCover(privacyLevel: string, { scopes }: Credentials): void {
  const scope = scopeFor({ privacyLevel })
  if (scopes === undefined || scopes.split(' ').includes(scope)) return
  const mode = isForInbox({ privacyLevel }) ? 'inbox' : 'direct'
  const message = `The access to the account does not cover ${scope}, which the mode ${mode} needs.`
  throw new PlatformError('permanent', message)
}

function opposite(flag: boolean | undefined): boolean | undefined {
  return flag === undefined ? undefined : !flag
}

/** @throws PlatformError naming each wrong field */
export function settingsOf(credentials: Credentials): Settings {
  const given = checkedCredentials(credentialsSchema, credentials, 'tiktok')
  return {
    privacyLevel: given.privacyLevel,
    disableComment: given.disableComment === 'true',
    disableDuet: given.disableDuet === 'true',
    disableStitch: given.disableStitch === 'true',
    brandContent: given.brandContent === 'true',
    brandOrganic: given.brandOrganic === 'true',
    aiGenerated: given.aiGenerated === 'true',
    autoAddMusic: given.autoAddMusic === 'true',
  }
}
