import type { ListedPost, OtherPosts, Others, Processing } from './platform.ts'

/** What is said while a doubt about other posts may pass. */
export const IN_PASSING_DOUBT: Processing = { outcome: 'processing', lookAgainMs: 10_000 }

/**
 * What is left of some posts that look alike when those are out that cannot be the one, and whether there is doubt about these.
 *
 * @param listed under each id that publishing may have told for the post
 */
export async function withoutOthers<Post>(
  alike: readonly Post[],
  listed: (post: Post) => ListedPost | readonly ListedPost[],
  others: OtherPosts | undefined,
): Promise<{ readonly left: readonly Post[]; readonly doubt: Others['doubt'] }> {
  if (!others || alike.length === 0) return { left: alike, doubt: 'none' }
  const { ruledOut, doubt } = await others(alike.flatMap(listed))
  return { left: alike.filter((post) => ![listed(post)].flat().some(({ id }) => ruledOut.has(id))), doubt }
}
