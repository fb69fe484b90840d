const API = 'https://api.x.com'

/** The one host for the API, tokens and uploads. */
export function hostOf(baseUrl: string | undefined): string {
  return baseUrl ?? API
}
