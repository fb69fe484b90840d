/** What a media URL asks of the stand-in with `?sandbox=` (see ../facebook.ts). */
export interface Directives {
  /** Looks for which a video is processed. */
  readonly processing?: number
  /** Seconds after which the post is listed. */
  readonly listedAfter?: number
  /** The error code with which processing ends. */
  readonly error?: number
  /** The error with which fetching the media fails: a code, or `robots`. */
  readonly fetch?: number | 'robots'
  /** What accepts comments: the `video`, not the post. */
  readonly comments?: 'video'
  /** The post of a reel is listed among the reels only. */
  readonly unlisted?: boolean
}

/** @param used how often each failure of a URL has occurred: a failure may be limited to a number of times */
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
