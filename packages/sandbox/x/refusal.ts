import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { oauthError } from '../oauth/error.ts'
import { decodeOr, StandInRefusal } from '../stand-in-refusal.ts'

const PROBLEMS = 'https://api.x.com/2/problems'

/** A problem (RFC 7807), X's format for errors. */
export function problem(status: number, title: string, detail: string, name?: string): StandInRefusal {
  const type = name === undefined ? 'about:blank' : `${PROBLEMS}/${name}`
  return new StandInRefusal({ status, body: { title, detail, type, status } })
}

/** Names the parameter, as X does for invalid input. */
export function invalid(parameter: string, message: string): StandInRefusal {
  const body = {
    errors: [{ parameters: { [parameter]: [] }, message }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: `${PROBLEMS}/invalid-request`,
  }
  return new StandInRefusal({ status: 400, body })
}

export const unauthorized = (): StandInRefusal => problem(401, 'Unauthorized', 'Unauthorized')
export const forbidden = (detail: string): StandInRefusal => problem(403, 'Forbidden', detail)
/** All that X says when the access lacks the scope of a call. */
export const outOfScope = (): StandInRefusal => forbidden('Forbidden')
/** Of an app that is not attached to a project with access to the API. */
export const notEnrolled = (): StandInRefusal => {
  const detail =
    'When authenticating requests to the Twitter API v2 endpoints, you must use keys and tokens from a Twitter developer App that is attached to a Project. You can create a project via the developer portal.'
  const why = { reason: 'client-not-enrolled', required_enrollment: 'Appropriate Level of API Access' }
  const body = { title: 'Client Forbidden', detail, ...why, type: `${PROBLEMS}/client-forbidden` }
  return new StandInRefusal({ status: 403, body })
}
/** Of an app with the permission "Read" only. */
export const readOnly = (): StandInRefusal =>
  problem(
    403,
    'Forbidden',
    'Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.',
    'oauth1-permissions',
  )
export const notFound = (detail: string): StandInRefusal =>
  problem(404, 'Not Found Error', detail, 'resource-not-found')

/** Of the token endpoint, which has its own format. */
export const invalidGrant = (): StandInRefusal =>
  new StandInRefusal(oauthError(400, 'invalid_request', 'Value passed for the token was invalid.'))

/** The error that X returns with status 200, alongside the data or instead of it. */
export function missing(type: 'tweet' | 'user', parameter: string, value: string): object {
  return {
    value,
    detail: `Could not find ${type} with ${parameter}: [${value}].`,
    title: 'Not Found Error',
    resource_type: type,
    parameter,
    resource_id: value,
    type: `${PROBLEMS}/resource-not-found`,
  }
}

/** @throws StandInRefusal 400 that names the first invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  return decodeOr(schema, value, ({ issues: [issue] }) => {
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    return invalid(unknown ?? issue?.path.join('.') ?? 'body', issue?.message ?? 'is not valid')
  })
}

export function unexpected(status: number, message: string): Answer {
  return problem(status, status < 500 ? 'Invalid Request' : 'Internal Server Error', message).answer
}
