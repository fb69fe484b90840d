import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { errorTable, type ErrorResponse, type ErrorRow } from '../kit/errors.ts'
import { jsonOf, quoted } from '../kit/rest.ts'

const FETCHING_FAILED = 1000

/** Google does not always send the details that have the codes. */
const NO_SCOPE = {
  status: [403],
  kind: 'forbidden',
  text: 'The access does not cover business profiles. Connect the account again with the scope business.manage',
} satisfies ErrorRow
const API_OFF = {
  status: [403],
  kind: 'permanent',
  limit: 'app_not_approved',
  text: 'A Business Profile API is not enabled in the Google Cloud project',
} satisfies ErrorRow

export const { refused, is } = errorTable({
  name: 'Google',
  rows: {
    scope: { ...NO_SCOPE, codes: ['ACCESS_TOKEN_SCOPE_INSUFFICIENT'] },
    'scope, by its words': { ...NO_SCOPE, says: /insufficient authentication scopes/i },
    'API off': { ...API_OFF, codes: ['SERVICE_DISABLED'] },
    'API off, by its words': { ...API_OFF, says: /has not been used in project/i },
    'not allowed': {
      status: [403],
      kind: 'permanent',
      limit: 'resource_forbidden',
      text: 'Google does not allow this. Check that the user still manages the location and its profile is verified, not suspended',
    },
    missing: { status: [404], kind: 'permanent', text: 'Google could not find the location' },
    unfetchable: {
      status: [400],
      codes: [FETCHING_FAILED],
      // The next attempt fetches the media itself first, and fails for good if it is gone.
      kind: 'retryable',
      text: "Google could not fetch the image from the media's host",
    },
    post: { status: [400], kind: 'permanent', text: 'Google did not accept the post' },
    'not approved': {
      status: [429],
      codes: ['quota 0'],
      kind: 'permanent',
      limit: 'app_not_approved',
      text: 'Google has not approved the Google Cloud project for the Business Profile APIs: its quota is 0. Request access at https://support.google.com/business/contact/api_default',
    },
  },
  common: {
    token: { text: 'Google does not accept the access token. Connect the account again' },
    // Google's limits are per minute.
    'rate limit': { waitMs: 60_000 },
  },
  read,
})

const errorDetail = z.object({
  reason: z.string().catch(''),
  metadata: z.object({ quota_limit_value: z.string().catch('') }).catch({ quota_limit_value: '' }),
  errorDetails: z.array(z.object({ code: z.number().catch(0), message: z.string().catch('') })).catch([]),
  fieldViolations: z.array(z.object({ field: z.string().catch(''), description: z.string().catch('') })).catch([]),
})
const errorAnswer = z.object({
  error: z.object({ message: z.string().catch(''), details: z.array(errorDetail).catch([]) }),
})

/** `code` is `ErrorInfo.reason`; further codes are those of `ValidationError.errorDetails`, and the quota. */
function read(response: HttpResponse): ErrorResponse {
  const { message = '', details = [] } = errorAnswer.safeParse(jsonOf(response)).data?.error ?? {}
  const first = (values: readonly string[]): string => values.find((value) => value !== '') ?? ''
  const code = first(details.map(({ reason }) => reason))
  const quota = first(details.map(({ metadata }) => metadata.quota_limit_value))
  const errors = details.flatMap(({ errorDetails }) => errorDetails)
  const violations = details.flatMap(({ fieldViolations }) => fieldViolations)
  const causes = [
    ...errors.map((error) => error.message),
    ...violations.map(({ field, description }) => `${field}: ${description}`),
  ]
  // The message says only that an argument is invalid; the details say which.
  const said = quoted(causes.length > 0 ? causes.join(' ') : message)
  const unfetched = /fetching image failed/i.test(said) ? [FETCHING_FAILED] : []
  return {
    code,
    codes: [code, ...errors.map((error) => error.code), ...unfetched, `quota ${quota}`],
    said,
    details: said === '' ? `HTTP ${response.status}` : `HTTP ${response.status}, ${said}`,
  }
}
