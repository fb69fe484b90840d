/** Where a sandbox shows a post as a page. @param sandbox its URL, without a trailing slash */
export function sandboxPageUrl(sandbox: string, platform: string, postId: string): string {
  return `${sandbox}/posts/${platform}/${encodeURIComponent(postId)}`
}
