import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { decodeOr, StandInRefusal } from '../stand-in-refusal.ts'

/** A refusal as an XRPC server would word it. */
export function xrpcRefusal(status: number, error: string, message: string): StandInRefusal {
  return new StandInRefusal(xrpcError(status, error, message))
}

export function xrpcError(status: number, error: string, message: string): Answer {
  return { status, body: { error, message } }
}

export function invalid(message: string): StandInRefusal {
  return xrpcRefusal(400, 'InvalidRequest', message)
}

/** @param place what the value is, in the real server's notation: `$` for a body, `$.record` for a record */
export function decode<T>(schema: z.ZodType<T>, value: unknown, place = '$', prefix = ''): T {
  return decodeOr(schema, value, ({ issues: [first] }) => {
    const path = [place, ...(first?.path ?? [])].map(String).join('.')
    return invalid(`${prefix}${first?.message ?? 'Invalid'} at ${path}`)
  })
}

export function unexpected(status: number, message: string): Answer {
  if (status === 413) return xrpcError(413, 'PayloadTooLargeError', 'request entity too large')
  if (status === 415) return xrpcError(400, 'InvalidRequest', 'Wrong request encoding (Content-Type)')
  if (status < 500) return xrpcError(400, 'SyntaxError', message)
  return xrpcError(500, 'InternalServerError', 'Internal Server Error')
}
