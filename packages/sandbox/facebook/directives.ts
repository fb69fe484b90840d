/** What a media URL asks the stand-in to do, with `?sandbox=` (see ../facebook.ts). */
export interface Directives {
  /** For how many looks a video is processed. */
  readonly processing?: number
  /** Seconds after which the post is listed. */
  readonly listedAfter?: number
  /** The code that the processing of a video ends in. */
  readonly error?: number
  /** What fetching the media is refused with: a code, or `robots`. */
  readonly fetch?: number | 'robots'
  /** What takes comments: `video`, and not the post. */
  readonly comments?: 'video'
  /** The post of a reel is listed among the reels only. */
  readonly unlisted?: boolean
}

/** @param used how often each failure of a URL has been used up: one may be asked for a number of times only */
export function directivesOf(mediaUrl: string, used: Map<string, number>): Directives {
  const given = new URL(mediaUrl).searchParams.get('sandbox') ?? ''
  return given.split(',').reduce<Directives>((all, directive) => {
    const [name = '', value = '', times] = directive.split(':')
    const key = `${mediaUrl} ${name}`
    const before = used.get(key) ?? 0
    if (times !== undefined && before >= Number(times)) return all
    if (times !== undefined) used.set(key, before + 1)
    switch (name) {
      case 'processing':
        return { ...all, processing: Number(value) }
      case 'listed-after':
        return { ...all, listedAfter: Number(value) }
      case 'error':
        return { ...all, error: Number(value) }
      case 'fetch':
        return { ...all, fetch: value === 'robots' ? value : Number(value) }
      case 'comments':
        return value === 'video' ? { ...all, comments: value } : all
      case 'unlisted':
        return { ...all, unlisted: true }
      default:
        return all
    }
  }, {})
}
