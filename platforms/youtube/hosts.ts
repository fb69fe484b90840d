/** The base URLs to call. A configured base URL replaces all of YouTube's hosts; the paths stay the same. */
export interface Hosts {
  readonly api: string
  readonly upload: string
}

export function hostsOf(baseUrl: string | undefined): Hosts {
  const data = baseUrl ?? 'https://www.googleapis.com'
  return {
    api: `${data}/youtube/v3`,
    upload: `${data}/upload/youtube/v3`,
  }
}
