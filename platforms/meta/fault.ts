import { z } from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { jsonOf } from '../kit/rest.ts'

/** What the Graph API says is wrong (Graph API, "Handle Errors"). */
export interface GraphFault {
  /** Of HTTP. It says little: a rate limit may be a 400. */
  readonly status: number
  readonly code: number
  /** Tells more than the code, where there is one. */
  readonly subcode: number | undefined
  /** Meta's word that it may pass. */
  readonly transient: boolean
  /** For developers, in English. */
  readonly message: string
  /** For the user, where Meta has such words. */
  readonly userMessage: string | undefined
  /** What Meta's support asks for. */
  readonly trace: string | undefined
}

const text = z.string().optional().catch(undefined)
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

/** @returns undefined for an answer that has no such error, as that of a proxy in between */
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
