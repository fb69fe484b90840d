import * as z from 'zod'
import { text } from '../core/text.ts'

/** What an account is used for. Its owner may grant publishing alone. `replies` includes first comments. */
export const CAPABILITIES = ['publishing', 'comments', 'replies', 'analytics'] as const
export type Capability = (typeof CAPABILITIES)[number]
export const capability = z.enum(CAPABILITIES)

/**
 * Why a platform refuses a capability although it accepts the credentials:
 * - `permission_missing`: the access lacks a permission, which the owner can grant;
 * - `app_not_approved`: the platform has not reviewed the app, or does not allow it this API;
 * - `resource_forbidden`: one page, post or board is closed to the account;
 * - `billing`: the platform's bill, credits or spending limit, or the operator's monthly budget;
 * - `platform_outage`: the platform fails again and again.
 */
export const LIMIT_CAUSES = [
  'permission_missing',
  'app_not_approved',
  'resource_forbidden',
  'billing',
  'platform_outage',
] as const
export type LimitCause = (typeof LIMIT_CAUSES)[number]

export const limitFields = {
  cause: z.enum(LIMIT_CAUSES),
  /** As the platform names it, when `cause` is `permission_missing` and it is known. Several are separated by spaces. */
  permission: text(500).optional(),
  /** What is refused, and who must do what, in words for the owner. */
  reason: text(2000),
}
/** What limits each capability. Such a call is still made: only its success tells that the limit has gone. */
export const limits = z.partialRecord(capability, z.object({ ...limitFields, since: z.iso.datetime() }))
export type Limits = Readonly<z.infer<typeof limits>>
export type Limit = Omit<NonNullable<Limits[Capability]>, 'since'>

/** For people. */
export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  publishing: 'Publishing',
  comments: 'Comments',
  replies: 'Replies and first comments',
  analytics: 'Metrics',
}

/** @param permissions what the platform did not grant; none if the owner did not allow the capability */
export function notGranted(capability: Capability, permissions: readonly string[]): Limit {
  const permission = permissions.join(' ')
  const what = permission === '' ? 'Not allowed' : 'Not granted'
  const named = permission === '' ? '' : `: ${permission}`
  const name = CAPABILITY_NAMES[capability].toLowerCase()
  const reason = `${what} when the account was connected${named}. Connect it again and allow ${name}.`
  return { cause: 'permission_missing', ...(permission !== '' && { permission }), reason }
}
