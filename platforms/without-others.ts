import type { OtherPosts } from './platform.ts'

/** Those of some posts that look alike which may be the one that is searched for. Also of one alone: it may be another. */
export async function withoutOthers<Post>(
  alike: readonly Post[],
  idOf: (post: Post) => string,
  others: OtherPosts | undefined,
): Promise<readonly Post[]> {
  if (!others || alike.length === 0) return alike
  const known = await others(alike.map(idOf))
  return alike.filter((post) => !known.has(idOf(post)))
}
