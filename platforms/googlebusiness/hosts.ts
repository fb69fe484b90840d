/** Where the calls go; a base URL stands in for all of Google's hosts, and the paths stay. */
export interface Hosts {
  /** Local posts: the only API that has them. */
  readonly posts: string
  readonly accounts: string
  readonly locations: string
}

export function hostsOf(baseUrl: string | undefined): Hosts {
  return {
    posts: `${baseUrl ?? 'https://mybusiness.googleapis.com'}/v4`,
    accounts: `${baseUrl ?? 'https://mybusinessaccountmanagement.googleapis.com'}/v1`,
    locations: `${baseUrl ?? 'https://mybusinessbusinessinformation.googleapis.com'}/v1`,
  }
}
