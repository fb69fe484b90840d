const API = 'https://api.x.com'

/** Where all of X's paths are: the API, tokens and uploads. */
export function hostOf(baseUrl: string | undefined): string {
  return baseUrl ?? API
}
