import type { AuthorizationCode, Reached } from '../kit/authorization.ts'
import { freshCredentials } from '../kit/credentials.ts'
import { googleApi } from './api.ts'
import { accountsOf, locationsUnder, type Location } from './locations.ts'
import { oauth } from './oauth.ts'

/** A user can reach the locations of every account they manage. */
export const authorization: AuthorizationCode = {
  ...oauth.authorization,
  reachesSeveral: true,
  reach: async (granted, baseUrl, io) => {
    const api = googleApi(baseUrl, { ...io, credentials: freshCredentials(granted) })
    const reached: Reached[] = []
    for (const account of await accountsOf(api)) {
      const locations = await locationsUnder(account, api)
      reached.push(...locations.map((each) => reachedBy(account, each)))
    }
    return reached.map((each) => (isAlone(each, reached) ? each : withItsName(each)))
  },
}

function reachedBy(account: string, { name, title, storefrontAddress }: Location): Reached {
  const { addressLines = [], locality } = storefrontAddress ?? {}
  const label = [title || name, ...addressLines.slice(0, 1), locality].filter((part) => part).join(', ')
  return { label, credentials: { location: `${account}/${name}` } }
}

/** Shops of a chain may have no address to tell them apart, and one shop may be reachable through two accounts. */
function isAlone({ label }: Reached, all: readonly Reached[]): boolean {
  return all.filter((other) => other.label === label).length === 1
}

function withItsName({ label, credentials }: Reached): Reached {
  return { label: `${label} (${credentials['location']})`, credentials }
}
