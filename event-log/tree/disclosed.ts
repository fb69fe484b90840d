import * as z from 'zod'
import type { StoredEvent } from '../codec.ts'
import { disclose, sealedSchema, type Disclosed, type EventKeys } from '../sealing.ts'

const sealedMetadata = z.looseObject({ sealed: sealedSchema })

/** The personal fields of those events whose key is not erased, with the salt of their hash. @throws LogUnavailable */
export async function disclosed(
  keys: EventKeys,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<StoredEvent, Disclosed>> {
  const sealed = events.flatMap((event) => {
    const parsed = sealedMetadata.safeParse(event.metadata)
    return parsed.success ? [{ event, sealed: parsed.data.sealed }] : []
  })
  const ownerOf = ({ event, sealed: { of } }: (typeof sealed)[number]) => of ?? event.stream
  const found = await keys.find([...new Set(sealed.map(ownerOf))])
  return new Map(
    sealed.flatMap((one) => {
      const { event, sealed } = one
      const key = found.get(ownerOf(one))
      if (key === undefined || key === 'erased' || key.id !== sealed.key) return []
      return [[event, disclose(key, event.stream, event, sealed)] as const]
    }),
  )
}
