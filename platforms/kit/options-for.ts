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
