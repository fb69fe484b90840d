import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { decodeOr, StandInRefusal } from '../stand-in-refusal.ts'

/** A refusal in LinkedIn's REST format. */
export function refuse(status: number, code: string, message: string, serviceErrorCode?: number): StandInRefusal {
  const body = { status, code, message, ...(serviceErrorCode !== undefined && { serviceErrorCode }) }
  return new StandInRefusal({ status, body })
}

/** @throws StandInRefusal 400 naming the first invalid field */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  return decodeOr(schema, value, ({ issues: [issue] }) => {
    const field = `/${(issue?.path ?? []).join('/')}`
    const code = issue?.code === 'unrecognized_keys' ? 'UNPERMITTED_FIELD' : 'INVALID_VALUE_FOR_FIELD'
    return refuse(400, code, `ERROR :: ${field} :: ${issue?.message ?? 'is not valid'}`)
  })
}

export function unexpected(status: number, message: string): Answer {
  const code = status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR'
  return refuse(status, code, message).answer
}
