import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { errorTable } from '../kit/errors.ts'
import { jsonOf, quoted } from '../kit/rest.ts'

/** API description 5.12 to 5.23, and reports of 2026. */
export const { refused, is } = errorTable({
  name: 'Pinterest',
  rows: {
    trial: {
      status: [403],
      codes: [3, 29],
      says: /trial/i,
      kind: 'permanent',
      limit: 'app_not_approved',
      text: 'The Pinterest app has Trial access, and Pinterest did not create the Pin. Ask Pinterest for Standard access at developers.pinterest.com/apps',
    },
    // Although the status is 401, the token is fine.
    unapproved: {
      status: [401],
      codes: [3],
      says: /consumer type/i,
      kind: 'permanent',
      limit: 'app_not_approved',
      text: 'Pinterest has not approved the app, or its access ended. Check the app at developers.pinterest.com/apps',
    },
    scope: {
      status: [401, 403],
      codes: [3, 7, 29],
      says: /scope/i,
      kind: 'forbidden',
      text: 'The access token lacks a scope. Connect the account again with all scopes',
    },
    permission: {
      status: [401],
      codes: [7],
      kind: 'forbidden',
      text: 'The access token lacks a permission. Connect the account again with all scopes',
    },
    'not allowed': {
      status: [403],
      codes: [7, 29, 403],
      kind: 'permanent',
      limit: 'resource_forbidden',
      text: 'The account is not allowed to do this. The board may belong to another account',
    },
    'too small': { status: [403], codes: [233], kind: 'permanent', text: 'The image is too small for Pinterest' },
    unreadable: { status: [403], codes: [235], kind: 'permanent', text: 'Pinterest could not read the image' },
    board: {
      status: [404],
      codes: [40],
      kind: 'permanent',
      text: 'Pinterest could not find the board. Connect the account again with another board',
    },
    section: {
      status: [404],
      codes: [2031],
      kind: 'permanent',
      text: 'Pinterest could not find the section of the board. Connect the account again with another section',
    },
    pin: { status: [404], codes: [50], kind: 'permanent', text: 'Pinterest could not find the Pin' },
    unfetchable: {
      status: [400],
      says: /unable to reach the url/i,
      kind: 'retryable',
      text: "Pinterest could not fetch the image from the media's host",
    },
    cover: {
      status: [400],
      says: /cover_image/i,
      kind: 'permanent',
      text: 'Pinterest did not accept the cover of the video',
    },
  },
  common: {
    token: { text: 'Pinterest does not accept the access token. Connect the account again' },
    'rate limit': {
      waitMs: 60_000,
      text: "Pinterest's rate limit was reached. With Trial access, the app has 1000 calls a day for all accounts: ask Pinterest for Standard access at developers.pinterest.com/apps",
    },
  },
  read: (response) => {
    const { code, says } = errorIn(response)
    const words = [`HTTP ${response.status}`, ...(code === undefined ? [] : [`code ${code}`]), says]
    const codes = code === undefined ? [] : [code]
    return { codes, said: says, details: words.filter((each) => each !== '').join(', ') }
  },
})

const errorBody = z.object({
  code: z.int().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
})

/** The code and the text of an answer, in either of the two formats that Pinterest uses. */
function errorIn(response: HttpResponse): { readonly code: number | undefined; readonly says: string } {
  const { code, message, error, error_description } = errorBody.safeParse(jsonOf(response)).data ?? {}
  return { code, says: quoted(message ?? error_description ?? error ?? '') }
}
