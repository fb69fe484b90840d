/** Where YouTube's calls go; a base URL stands in for all its hosts, and the paths stay. */
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
