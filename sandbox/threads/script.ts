/*
 * What a test asks of the stand-in, through something that no caller sends by accident: the query of the media's URL.
 *
 * `?sandbox=processing:5`         it is finished at the sixth look
 * `?sandbox=error:UNKNOWN`        every container of this URL fails so, `?sandbox=error:UNKNOWN:1` only the first one
 * `?sandbox=late-to-publish:3`    the first three calls that publish it do not find it
 * `?sandbox=vanishes:1`           the first container of this URL is not known any more once it was finished
 * `?sandbox=unreadable-after`     a published container can not be read
 * `?sandbox=listed-after:10`      the post is listed 10 s after it went live
 */

export interface MediaScript {
  /** Looks at it before it is finished. */
  readonly looks?: number
  readonly error?: { readonly word: string; readonly containers: number }
  readonly lateToPublish: number
  readonly vanishing: number
  readonly unreadableAfter: boolean
  readonly listedAfterS: number
}

const USUAL: MediaScript = { lateToPublish: 0, vanishing: 0, unreadableAfter: false, listedAfterS: 0 }

export function mediaScript(url: string): MediaScript {
  const [what = '', first = '', second = ''] = (new URL(url).searchParams.get('sandbox') ?? '').split(':')
  switch (what) {
    case 'processing':
      return { ...USUAL, looks: Number(first) }
    case 'error':
      return { ...USUAL, error: { word: first, containers: second === '' ? Infinity : Number(second) } }
    case 'late-to-publish':
      return { ...USUAL, lateToPublish: Number(first) }
    case 'vanishes':
      return { ...USUAL, vanishing: Number(first) }
    case 'unreadable-after':
      return { ...USUAL, unreadableAfter: true }
    case 'listed-after':
      return { ...USUAL, listedAfterS: Number(first) }
    default:
      return USUAL
  }
}
