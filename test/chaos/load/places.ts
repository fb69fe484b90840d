/** Where the load goes to, by keys of platforms, and how much of it. */
export interface Places {
  readonly image: readonly string[]
  readonly video: readonly string[]
  /** Where fans write. */
  readonly fans: readonly string[]
  /** Where the feed's items go. */
  readonly fed: string
  /** Where posts are published again. A text may stand more than once there. */
  readonly recycled: readonly string[]
  /** Posts that one sender has under way at most. */
  readonly mostOpen: number
  readonly mostVideos: number
}

export const EVERYWHERE: Places = {
  image: ['facebook', 'bluesky', 'x', 'linkedin', 'pinterest', 'instagram', 'threads', 'googlebusiness'],
  video: ['youtube', 'tiktok'],
  fans: ['facebook', 'instagram', 'youtube', 'linkedin', 'bluesky', 'threads'],
  fed: 'pinterest',
  recycled: ['facebook', 'bluesky', 'pinterest'],
  mostOpen: 15,
  mostVideos: Infinity,
}

/** Where what was cut off is looked for soon, so that a short run rests soon. */
export const QUICK: Places = {
  image: ['bluesky', 'threads', 'instagram'],
  video: ['youtube'],
  fans: ['bluesky'],
  fed: 'bluesky',
  recycled: ['bluesky'],
  mostOpen: 3,
  mostVideos: 2,
}
