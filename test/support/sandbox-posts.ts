/** What is live on the sandbox's platforms. */
export async function postsAt(sandboxUrl: string, platforms: readonly string[]): Promise<readonly unknown[]> {
  const posts = platforms.map(async (platform) => {
    const answer = await fetch(`${sandboxUrl}/_control/posts?platform=${platform}`)
    return (await answer.json()) as readonly unknown[]
  })
  return (await Promise.all(posts)).flat()
}
