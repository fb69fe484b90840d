/** The hosts to call. A base URL replaces all of Google's hosts; the paths stay the same. */
export interface Hosts {
  /** The only API that has local posts. */
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
