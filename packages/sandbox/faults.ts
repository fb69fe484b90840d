import * as z from 'zod'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'

export const CALLS = ['publish', 'comment', 'reply', 'metrics', 'refresh', 'delete', 'edit'] as const
export type Call = (typeof CALLS)[number]

export const FAULT_KINDS = [
  /** The call takes effect, but is never answered: the connection is held for `delayMs`, then dropped. */
  'accept_then_timeout',
  'reject',
  'rate_limit',
  /** 500; with `accepted`, after the call has taken effect. */
  'server_error',
  /** 401, and the access token is revoked. */
  'token_expired',
  /** The call takes effect at once and is answered after `delayMs`. */
  'slow',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** The body of `POST /_control/faults`. */
export const faultScriptSchema = z
  .strictObject({
    platform: z.enum(PLATFORM_KEYS),
    call: z.enum(CALLS),
    kind: z.enum(FAULT_KINDS),
    /** How many of the next calls fail this way. */
    times: z.int().min(1).max(1_000_000).default(1),
    /** Restricts the fault to this account (the platform's id). */
    accountId: z.string().min(1).max(200).optional(),
    /** For `slow` and `accept_then_timeout`. */
    delayMs: z.int().min(0).max(120_000).default(5_000),
    /** For `rate_limit`. */
    retryAfterSeconds: z.int().min(0).max(86_400).default(30),
    /** For `server_error`. */
    accepted: z.boolean().default(false),
  })
  .readonly()
export type FaultScript = z.output<typeof faultScriptSchema>

/** Scripted faults. Those of the same platform and call are consumed in order of arrival. */
export interface Faults {
  script(fault: FaultScript): void
  /** Faults still to come, with `times` counted down. */
  pending(): readonly FaultScript[]
  clear(): void
  /** Takes the fault for this call, which consumes it. Call once, after the request has been validated. */
  take(platform: PlatformKey, call: Call, accountId: string): FaultScript | undefined
}

export function scriptedFaults(): Faults {
  let scripts: FaultScript[] = []
  return {
    script: (fault) => void scripts.push(fault),
    pending: () => scripts,
    clear: () => {
      scripts = []
    },
    take: (platform, call, accountId) => {
      const index = scripts.findIndex(
        (fault) =>
          fault.platform === platform &&
          fault.call === call &&
          (fault.accountId === undefined || fault.accountId === accountId),
      )
      const fault = scripts[index]
      if (!fault) return undefined
      if (fault.times === 1) scripts.splice(index, 1)
      else scripts[index] = { ...fault, times: fault.times - 1 }
      return fault
    },
  }
}
