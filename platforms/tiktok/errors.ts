import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { byStatus, errorTable, hasCode } from '../kit/errors.ts'
import { heard, jsonOf, unreadableText } from '../kit/rest.ts'

const DAY_MS = 86_400_000
const EXPIRED_CODE = 'access_token_invalid'

const envelope = z.object({ error: z.object({ code: z.string(), message: z.string().catch('') }) })

/** By `error.code`, whatever the HTTP status: some come with a 200. Other codes are classified by status. */
export const { refused, rows, named } = errorTable({
  name: 'TikTok',
  rows: {
    scope: {
      codes: ['scope_not_authorized', 'scope_permission_missed'],
      kind: 'forbidden',
      text: 'The access token lacks a scope. Connect the account again with all scopes',
    },
    privacy: {
      codes: ['privacy_level_option_mismatch'],
      kind: 'permanent',
      text: 'TikTok does not offer this privacyLevel to the account. Set a different one in the post, or connect the account again with a different one',
    },
    domain: {
      codes: ['url_ownership_unverified'],
      kind: 'permanent',
      limit: 'app_not_approved',
      text: 'TikTok fetches images only from domains verified for your TikTok app, and the domain of this URL, usually that of PUBLIC_URL, is not. Verify it at developers.tiktok.com, under "URL properties"',
    },
    unaudited: {
      codes: ['unaudited_client_can_only_post_to_private_accounts'],
      kind: 'permanent',
      limit: 'app_not_approved',
      text: 'Until TikTok has audited your app, it may post only for accounts that are set to private, and only with the privacyLevel SELF_ONLY. Apply for the audit at developers.tiktok.com. Until then, set the account to private in the TikTok app and connect it again with SELF_ONLY, or connect it again with INBOX: then its owner publishes each post from the inbox of the TikTok app. Retry the post after that',
    },
    accounts: {
      codes: ['reached_active_user_cap'],
      kind: 'retryable',
      text: 'Your TikTok app has reached the number of accounts that it may post for in 24 hours: 5 until TikTok has audited it',
      waitMs: DAY_MS,
      accountRests: true,
    },
    posts: {
      codes: ['spam_risk_too_many_posts'],
      kind: 'retryable',
      text: 'TikTok accepts no more posts from this account for a day',
      waitMs: DAY_MS,
      accountRests: true,
    },
    'pending posts': {
      codes: ['spam_risk_too_many_pending_share'],
      kind: 'retryable',
      text: "The account's TikTok inbox takes no more than 5 uploads in 24 hours. Its owner must publish those that wait there in the TikTok app",
      waitMs: DAY_MS,
      accountRests: true,
    },
    'old app': {
      codes: ['app_version_check_failed'],
      kind: 'permanent',
      text: "The TikTok app of the account's owner is too old for uploads to its inbox. Its owner must update it to version 31.8 or later",
    },
    banned: {
      codes: ['spam_risk_user_banned_from_posting'],
      kind: 'permanent',
      text: 'TikTok has banned this account from posting. Its owner must resolve this in the TikTok app',
    },
    spam: {
      codes: ['spam_risk_text', 'spam_risk'],
      kind: 'permanent',
      text: 'TikTok flagged the post, or its text, as spam',
    },
    gone: {
      codes: ['invalid_publish_id', 'token_not_authorized_for_specified_publish_id'],
      kind: 'permanent',
      text: 'TikTok could not find the post, or it belongs to another account',
    },
    unreadable: { kind: 'lost', text: unreadableText('TikTok') },
  },
  common: {
    token: { codes: [EXPIRED_CODE] },
    'rate limit': { codes: ['rate_limit_exceeded'], waitMs: 60_000 },
    failed: { codes: ['internal_error'] },
    refused: { codes: ['invalid_param', 'invalid_params'] },
  },
  read: (response) => {
    const { status } = response
    const { code, message } = errorIn(response) ?? { code: status === 401 ? EXPIRED_CODE : '', message: '' }
    return { codes: [code], details: heard(status, code, message) }
  },
  settle: (found, status, { codes: [code] = [] }) =>
    found ?? (status < 300 && code === '' ? 'unreadable' : byStatus(status)),
  waitOf: ({ waitMs, askedMs }) => askedMs ?? waitMs,
})

/** The `error` of an answer; undefined if the answer is not from TikTok's API. */
export function errorIn(response: HttpResponse): { readonly code: string; readonly message: string } | undefined {
  return envelope.safeParse(jsonOf(response)).data?.error
}

/** Whether a call was refused, without effect, because the access token is expired or invalid. */
export function isExpired(error: unknown): boolean {
  return hasCode(error, EXPIRED_CODE)
}
