/*
 * Directives for the stand-in, in places that no real caller uses: the query of an image's URL, or the last bytes of a video
 * (players ignore a trailing `free` box).
 */

export interface ImageScript {
  readonly error?: string
  readonly listedAfterS?: number
  /** Whether Pinterest has no counts for the Pin yet. */
  readonly uncounted: boolean
}

/** @param url of an image. `?sandbox=error:233`, `?sandbox=listed-after:30` (seconds) or `?sandbox=uncounted` */
export function imageScript(url: string): ImageScript {
  const asked = new URL(url).searchParams.get('sandbox') ?? ''
  const error = /^error:(\d+)$/.exec(asked)?.[1]
  const seconds = /^listed-after:(\d+)$/.exec(asked)?.[1]
  const uncounted = asked === 'uncounted'
  return {
    uncounted,
    ...(error !== undefined && { error }),
    ...(seconds !== undefined && { listedAfterS: Number(seconds) }),
  }
}

export interface VideoScript {
  /** Looks before it is done. */
  readonly looks: number
  readonly ends: 'succeeded' | 'failed'
  /** How many uploads of these bytes are lost afterwards. */
  readonly lostUploads: number
  /** The storage's answer to the first upload of these bytes. */
  readonly refusal?: { readonly status: number; readonly code: string }
  /** Whether its first frame is unusable as a cover. */
  readonly darkStart: boolean
}

const USUAL: VideoScript = { looks: 2, ends: 'succeeded', lostUploads: 0, darkStart: false }

/** How much of a video's end is searched. */
export const SCRIPT_BYTES = 100

/** @param end of a video: `sandbox=processing:5`, `failed`, `lost:1`, `upload:403:AccessDenied` or `dark-start` */
export function videoScript(end: Buffer): VideoScript {
  const [what = '', first = '', second = ''] = /sandbox=([\w:-]+)$/.exec(end.toString('latin1'))?.[1]?.split(':') ?? []
  switch (what) {
    case 'processing':
      return { ...USUAL, looks: Number(first) }
    case 'failed':
      return { ...USUAL, ends: 'failed' }
    case 'lost':
      return { ...USUAL, lostUploads: Number(first) }
    case 'upload':
      return { ...USUAL, refusal: { status: Number(first), code: second } }
    case 'dark-start':
      return { ...USUAL, darkStart: true }
    default:
      return USUAL
  }
}
