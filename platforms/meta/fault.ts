import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { jsonOf } from '../kit/rest.ts'

/** An error as the Graph API reports it (Graph API, "Handle Errors"). */
export interface GraphFault {
  /** HTTP status. Not reliable: a rate limit may be a 400. */
  readonly status: number
  readonly code: number
  /** More specific than the code, if present. */
  readonly subcode: number | undefined
  /** Whether Meta calls the error transient. */
  readonly transient: boolean
  /** For developers, in English. */
  readonly message: string
  /** For the user, if Meta provides one. */
  readonly userMessage: string | undefined
  /** The trace id that Meta's support asks for. */
  readonly trace: string | undefined
}

/** Meta may send an empty one. */
const text = z.string().min(1).optional().catch(undefined)
const body = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: z.number(),
    error_subcode: z.number().optional().catch(undefined),
    is_transient: z.boolean().catch(false),
    error_user_msg: text,
    fbtrace_id: text,
  }),
})

/** @returns undefined for a response without such an error, such as a proxy's */
export function faultIn(response: HttpResponse): GraphFault | undefined {
  const parsed = body.safeParse(jsonOf(response))
  if (!parsed.success) return undefined
  const { error } = parsed.data
  return {
    status: response.status,
    code: error.code,
    subcode: error.error_subcode,
    transient: error.is_transient,
    message: error.message,
    userMessage: error.error_user_msg,
    trace: error.fbtrace_id,
  }
}
