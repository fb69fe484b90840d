const HOST = 'https://open.tiktokapis.com'

/** @param baseUrl replaces TikTok's host; no trailing slash */
export function apiAt(baseUrl: string | undefined): string {
  return `${baseUrl ?? HOST}/v2`
}
