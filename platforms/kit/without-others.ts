import type { ListedPost, OtherPosts, Others, Processing } from './platform.ts'

/** The outcome while a doubt about other posts may still pass. */
export const IN_PASSING_DOUBT: Processing = { outcome: 'processing', lookAgainMs: 10_000 }

/**
 * Removes the look-alike posts that cannot be the one, and reports whether there is doubt about the rest.
 *
 * @param listed the post under each id that publishing may have returned for it
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
