import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { errorTable, hasStatus, type ErrorRow, type ErrorTable } from '../kit/errors.ts'
import { PlatformError } from '../kit/platform.ts'
import { heard, jsonOf } from '../kit/rest.ts'
import { versions } from './version.ts'

/** Client errors told apart by their wording. Server errors are excluded, whatever their wording. */
const UNFIT = [400, 409, 422] as const
const DAY_MS = 24 * 60 * 60_000

const table = {
  name: 'LinkedIn',
  rows: {
    unapproved: {
      status: [403],
      says: /partnerApi/i,
      kind: 'forbidden',
      limit: 'app_not_approved',
      text: "LinkedIn has not approved the app for this API: the app needs another product, or that product's Standard tier. Request it at linkedin.com/developers/apps, under Products",
    },
    closed: {
      status: [403],
      // Of a document, it is about permissions.
      says: /(?<!document )resource is forbidden|is unauthorized on urn/i,
      kind: 'forbidden',
      limit: 'resource_forbidden',
      text: 'LinkedIn does not allow access to this post, comment or page',
    },
    'as a page': {
      status: [400, 403],
      says: /permissions must be used when using organization/i,
      kind: 'forbidden',
      text: 'The access does not cover posting as a page. Connect the account again with the scope w_organization_social',
    },
    permission: {
      status: [403],
      kind: 'forbidden',
      text: 'LinkedIn does not allow this: the app lacks a permission, or the member lacks the role on the page',
    },
    duplicate: {
      status: UNFIT,
      says: /DUPLICATE_POST|content is a duplicate/i,
      kind: 'permanent',
      text: 'LinkedIn refused the post as a duplicate of an existing one, which may be this one from an earlier attempt',
    },
    unprocessed: {
      status: UNFIT,
      says: /PROCESSING_FAILED/,
      kind: 'permanent',
      text: 'LinkedIn could not process the media',
    },
    processing: {
      status: UNFIT,
      says: /MEDIA_ASSET_WAITING_UPLOAD|MEDIA_ASSET_PROCESSING|still (?:being )?process/i,
      kind: 'retryable',
      text: 'LinkedIn is still processing the media',
      waitMs: 90_000,
    },
    version: {
      status: [426],
      kind: 'permanent',
      text: `LinkedIn does not have the version of its API that was asked for. Update Fanfare, or set ${versions.setting} to a newer version`,
    },
    'too large': { status: [413], kind: 'permanent', text: 'The media is too large for LinkedIn' },
    type: { status: [415], kind: 'permanent', text: 'LinkedIn does not accept media of this type' },
    missing: { status: [404], kind: 'permanent', text: 'LinkedIn could not find the requested item' },
  },
  common: { 'rate limit': { waitMs: 15 * 60_000 } },
  read: (response) => {
    const { code, message } = refusalOf(response)
    return { code, said: `${code} ${message}`, details: heard(response.status, message || code) }
  },
  // Daily quotas reset at 00:00 UTC; LinkedIn calls them the DAY limit and often sends no `Retry-After`.
  waitOf: ({ waitMs, askedMs, said, now }) =>
    waitMs === undefined ? undefined : (askedMs ?? (/\bDAY limit\b/.test(said) ? DAY_MS - (now % DAY_MS) : waitMs)),
} satisfies ErrorTable<string>

const UPLOAD_OVER = {
  kind: 'retryable',
  text: 'LinkedIn no longer accepts this upload; it will be started again',
} satisfies ErrorRow

export const { refused, is } = errorTable(table)

/** Of an upload URL, where a refused token means that the URL has expired. */
export const { refused: refusedUpload } = errorTable({
  ...table,
  rows: {
    over: { ...UPLOAD_OVER, status: [401, 403, 404, 410] },
    expired: { ...UPLOAD_OVER, says: /EXPIRED_UPLOAD_URL/ },
    ...table.rows,
  },
})

/** Whether a read is refused for good, so that repeating it is useless. A dead token, by contrast, may be renewed. */
export function isNoAnswer(error: unknown): boolean {
  return (error instanceof PlatformError && error.kind === 'permanent') || hasStatus(error, 403)
}

const refusalSchema = z.object({
  message: z.string().catch(''),
  code: z.string().catch(''),
  errorDetails: z
    .object({ inputErrors: z.array(z.object({ code: z.string() })) })
    .optional()
    .catch(undefined),
})

function refusalOf(response: HttpResponse): { readonly code: string; readonly message: string } {
  const result = refusalSchema.safeParse(jsonOf(response))
  if (!result.success) return { code: '', message: '' }
  const { code, message, errorDetails } = result.data
  const named = code || errorDetails?.inputErrors[0]?.code || /\b[A-Z]+(?:_[A-Z]+)+\b/.exec(message)?.[0]
  return { code: named ?? '', message }
}
