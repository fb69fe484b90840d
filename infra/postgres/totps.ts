import { createHash } from 'node:crypto'
import * as z from 'zod'
import { stepOf } from '../runtime/one-time-code.ts'
import { readableSecret } from '../runtime/readable-secret.ts'
import type { Secret, Vault } from './vault.ts'

/**
 * The secrets of users' authenticator apps: in the vault, under an id that the user's events name. No event contains any part of
 * them. Times are ms since the epoch.
 */
export interface Totps {
  /**
   * Keeps the secret of an app.
   *
   * @param step of the code that the app has shown: it is not accepted again
   * @returns recovery codes, of which only hashes are kept
   */
  keep(workspaceId: string, id: string, secret: string, step: number): Promise<readonly string[]>
  /** Accepts a code from the app or a recovery code, each once in all processes. @returns undefined when it is not right */
  use(id: string, code: string, now: number): Promise<UsedCode | undefined>
  recoveryCodesLeft(id: string): Promise<number>
  forget(id: string): Promise<void>
}

export interface UsedCode {
  /** How many recovery codes are left, when it was one. */
  readonly recoveryCodesLeft?: number
}

const RECOVERY_CODES = 10
/** 74 bits, so a fast hash is enough. */
const GROUPS = 3

const hashesSchema = z.array(z.string())

/** The contents of the vault. */
interface Kept {
  readonly secret: string
  /** Of the code that was accepted last. */
  readonly step: number
  readonly recovery: readonly string[]
}

export function createTotps(vault: Vault): Totps {
  return {
    keep: async (workspaceId, id, secret, step) => {
      const codes = Array.from({ length: RECOVERY_CODES }, () => readableSecret(GROUPS))
      await vault.put(workspaceId, id, closed({ secret, step, recovery: codes.map(hashOf) }))
      return codes
    },
    use: async (id, code, now) => {
      for (;;) {
        const current = await vault.find(id)
        const taken = current && take(opened(current), code, now)
        if (!current || !taken) return undefined
        const sealed = closed(taken.next)
        try {
          // Otherwise, another code was used meanwhile, perhaps this one.
          if ((await vault.renew(id, current, () => Promise.resolve(sealed))) === sealed) return taken.used
        } catch (error) {
          // Not an error if it was turned off meanwhile.
          if (await vault.find(id)) throw error
        }
      }
    },
    recoveryCodesLeft: async (id) => {
      const found = await vault.find(id)
      return found ? opened(found).recovery.length : 0
    },
    forget: (id) => vault.remove(id),
  }
}

/** Ignores the spaces and hyphens that a code is shown with, and case. */
function take(kept: Kept, given: string, now: number): { readonly used: UsedCode; readonly next: Kept } | undefined {
  const code = given.toLowerCase().replace(/[\s-]/g, '')
  const step = stepOf(kept.secret, code, now, kept.step)
  if (step !== undefined) return { used: {}, next: { ...kept, step } }
  const recovery = kept.recovery.filter((hash) => hash !== hashOf(code))
  if (recovery.length === kept.recovery.length) return undefined
  return { used: { recoveryCodesLeft: recovery.length }, next: { ...kept, recovery } }
}

function hashOf(code: string): string {
  return createHash('sha256').update(code.replaceAll('-', '')).digest('hex')
}

function opened({ secret = '', step, recovery = '[]' }: Secret): Kept {
  return { secret, step: Number(step), recovery: hashesSchema.parse(JSON.parse(recovery)) }
}

function closed({ secret, step, recovery }: Kept): Secret {
  return { secret, step: String(step), recovery: JSON.stringify(recovery) }
}
