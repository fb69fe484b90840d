import type { OtherPosts } from './platform.ts'

/** What is left of some posts that look alike when those are out that are known to be others, and whether one may still be. */
export async function withoutOthers<Post>(
  alike: readonly Post[],
  idOf: (post: Post) => string,
  isAlike: (text: string) => boolean,
  others: OtherPosts | undefined,
): Promise<{ readonly left: readonly Post[]; readonly inDoubt: boolean }> {
  if (!others || alike.length === 0) return { left: alike, inDoubt: false }
  const { known, inDoubt } = await others(alike.map(idOf), isAlike)
  return { left: alike.filter((post) => !known.has(idOf(post))), inDoubt }
}
