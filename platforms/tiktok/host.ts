const HOST = 'https://open.tiktokapis.com'

/** @param baseUrl another host than TikTok's own, without a trailing slash */
export function apiAt(baseUrl: string | undefined): string {
  return `${baseUrl ?? HOST}/v2`
}
