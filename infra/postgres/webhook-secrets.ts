import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { isoTime } from '../runtime/clock.ts'
import type { Secret, Vault } from './vault.ts'

/** Stores webhook secrets: in the vault, under the webhook's id, never in an event. Times are ms since the epoch. */
export interface WebhookSecrets {
  /** Creates a webhook's first secret. Idempotent: repeating it returns the same one. */
  create(workspaceId: string, webhookId: string): Promise<string>
  /**
   * Creates a new secret, which signs alongside the current one for `ROTATION_MS`, until `complete` makes it the current one.
   * Idempotent by `rotation`: repeating it returns the same secret, whatever happened in between.
   *
   * @returns undefined if the webhook has none
   */
  prepare(webhookId: string, rotation: string, now: number): Promise<string | undefined>
  /**
   * Makes a prepared secret the current one; previous ones, at most five, keep signing for `ROTATION_MS`. Idempotent.
   *
   * @returns undefined if the webhook has none
   * @throws Error if none was prepared, or it has expired
   */
  complete(webhookId: string, rotation: string, now: number): Promise<Rotated | undefined>
  /** The secrets that sign at a given time, the current one first; none if the webhook was deleted. */
  signing(webhookId: string, now: number): Promise<readonly string[]>
  remove(webhookId: string): Promise<void>
}

export interface Rotated {
  readonly secret: string
  /** When the previous secret stops signing, ISO 8601 UTC. */
  readonly previousUntil: string
}

/** How long (ms) a secret keeps signing after a newer one exists. */
export const ROTATION_MS = 24 * 3_600_000
const BYTES = 32
/** Each signing secret adds a signature to the header, so only the latest rotations count. */
const MOST_OTHERS = 5

/** Secrets other than the current one, with the rotation that created each and when it stops signing. */
const othersSchema = z.array(z.object({ secret: z.string(), rotation: z.string(), until: z.iso.datetime() }))
type Others = z.infer<typeof othersSchema>

/** The contents of the vault: prepared and previous secrets are newest first. */
interface Secrets {
  readonly secret: string
  readonly rotation: string
  readonly prepared: Others
  readonly previous: Others
}

export function webhookSecrets(vault: Vault): WebhookSecrets {
  // The format of Standard Webhooks.
  const newSecret = () => `whsec_${randomBytes(BYTES).toString('base64')}`

  /** Changes the secrets, and starts over if another process was faster. */
  const change = async <Result>(
    webhookId: string,
    now: number,
    decide: (secrets: Secrets) => { readonly result: Result; readonly next?: Secrets },
  ): Promise<Result | undefined> => {
    for (;;) {
      const current = await vault.find(webhookId)
      if (!current) return undefined
      const { result, next } = decide(opened(current, now))
      if (!next) return result
      const sealed = closed(next)
      try {
        const stored = await vault.renew(webhookId, current, () => Promise.resolve(sealed))
        if (stored === sealed) return result
      } catch (error) {
        // Not an error if the webhook was deleted meanwhile.
        if (await vault.find(webhookId)) throw error
      }
    }
  }

  return {
    create: async (workspaceId, webhookId) => {
      const first = closed({ secret: newSecret(), rotation: '', prepared: [], previous: [] })
      const { secret = '' } = await vault.add(workspaceId, webhookId, first)
      return secret
    },
    prepare: (webhookId, rotation, now) =>
      change(webhookId, now, (secrets) => {
        const { prepared, previous } = secrets
        const known = [secrets, ...previous].find((each) => each.rotation === rotation)
        if (known) return { result: known.secret }
        const begun = prepared.find((each) => each.rotation === rotation)
        const { secret } = begun ?? { secret: newSecret() }
        const others = prepared.filter((each) => each !== begun)
        const next = [{ secret, rotation, until: isoTime(now + ROTATION_MS) }, ...others].slice(0, MOST_OTHERS)
        return { result: secret, next: { ...secrets, prepared: next } }
      }),
    complete: (webhookId, rotation, now) =>
      change(webhookId, now, (secrets) => {
        const { secret, prepared, previous } = secrets
        const done = [secrets, ...previous]
        const place = done.findIndex((each) => each.rotation === rotation)
        const known = done[place]
        if (known) return { result: { secret: known.secret, previousUntil: previous[place]?.until ?? isoTime(now) } }
        const begun = prepared.find((each) => each.rotation === rotation)
        if (!begun) throw new Error(`no secret was prepared for ${webhookId}`)
        const until = isoTime(now + ROTATION_MS)
        const next = {
          ...{ secret: begun.secret, rotation },
          prepared: prepared.filter((each) => each !== begun),
          previous: [{ secret, rotation: secrets.rotation, until }, ...previous].slice(0, MOST_OTHERS),
        }
        return { result: { secret: begun.secret, previousUntil: until }, next }
      }),
    signing: async (webhookId, now) => {
      const found = await vault.find(webhookId)
      if (!found) return []
      const { secret, prepared, previous } = opened(found, now)
      return [secret, ...[...prepared, ...previous].slice(0, MOST_OTHERS).map((each) => each.secret)]
    },
    remove: (webhookId) => vault.remove(webhookId),
  }
}

function opened({ secret = '', rotation = '', prepared, previous }: Secret, now: number): Secrets {
  const others = (sealed = '[]') =>
    othersSchema.parse(JSON.parse(sealed)).filter(({ until }) => Date.parse(until) > now)
  return { secret, rotation, prepared: others(prepared), previous: others(previous) }
}

function closed({ secret, rotation, prepared, previous }: Secrets): Secret {
  return { secret, rotation, prepared: JSON.stringify(prepared), previous: JSON.stringify(previous) }
}
