import type { PostMedia } from '../../domain/post/post-media.ts'
import type { Platform } from './platform.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * What a post sets on an account: the options of its platform, and over them those of the account. Of options that belong together
 * it has those of one or the other.
 */
export function optionsFor(
  { joinedOptions = [] }: Pick<Platform, 'joinedOptions'>,
  ofPlatform: Options | undefined,
  ofAccount: Options | undefined,
): Options | undefined {
  if (!ofAccount) return ofPlatform
  const replaced = joinedOptions.filter((names) => names.some((name) => ofAccount[name] !== undefined)).flat()
  const kept = Object.entries(ofPlatform ?? {}).filter(([name]) => !replaced.includes(name))
  return { ...Object.fromEntries(kept), ...ofAccount }
}

/** The platform, as far as it takes a post with these options. */
export function takingFor<P extends Pick<Platform, 'takes' | 'takesFor'>>(
  platform: P,
  options: Options | undefined,
): P {
  return platform.takesFor ? { ...platform, takes: platform.takesFor(options) } : platform
}

/** The media of a post with the cover that its options set. */
export function withCover(
  media: readonly PostMedia[],
  { coverOption }: Pick<Platform, 'coverOption'>,
  options: Options | undefined,
): readonly PostMedia[] {
  const cover = coverOption === undefined ? undefined : options?.[coverOption]
  const [only, ...more] = media
  if (typeof cover !== 'string' || only?.type !== 'video' || more.length > 0) return media
  return [{ ...only, thumbnailUrl: cover }]
}
