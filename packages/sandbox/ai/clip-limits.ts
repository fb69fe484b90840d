const DAY_MS = 24 * 3_600_000

/** How many clips the sandbox keeps: clients fetch a clip as soon as it is done. */
export interface ClipLimits {
  /** Total of all clips. */
  readonly maxBytes: number
  readonly maxAgeMs: number
  /** A clip is kept this long after it was created or last requested, whatever the other limits say. */
  readonly inUseMs: number
}

export const CLIP_LIMITS: ClipLimits = { maxBytes: 1e9, maxAgeMs: DAY_MS, inUseMs: 15 * 60_000 }

export interface KeptClip {
  readonly id: string
  readonly bytes: number
  /** When it was created or last requested (ms since the epoch). */
  readonly usedAt: number
}

/** The clips to remove, least recently used first. */
export function clipsToRemove(
  clips: readonly KeptClip[],
  now: number,
  { maxBytes, maxAgeMs, inUseMs }: ClipLimits,
): readonly string[] {
  let kept = clips.reduce((sum, { bytes }) => sum + bytes, 0)
  const unused = clips.filter(({ usedAt }) => now - usedAt >= inUseMs).sort((a, b) => a.usedAt - b.usedAt)
  return unused.flatMap(({ id, bytes, usedAt }) => {
    if (kept <= maxBytes && now - usedAt <= maxAgeMs) return []
    kept -= bytes
    return [id]
  })
}
