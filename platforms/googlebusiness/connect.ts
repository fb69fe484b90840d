import { unsavedCredentials } from '../kit/credentials.ts'
import { PlatformError, type Platform } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'
import { googleApi, type Api } from './api.ts'
import { givenCredentials } from './credentials.ts'
import { accountsOf, locationsUnder } from './locations.ts'

const MOST_NAMED = 10

/** Checks that the user can reach the location under that account. Renews an expired token on the way. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const { location } = givenCredentials(given)
  const credentials = unsavedCredentials(given)
  const api = googleApi(baseUrl, { ...io, credentials })
  const at = location.indexOf('/locations/')
  const [account, name] = [location.slice(0, at), location.slice(at + 1)]
  const found = (await locationsUnder(account, api)).find((each) => each.name === name)
  if (!found) throw new PlatformError('permanent', await notThere(location, api))
  const { title, languageCode, metadata } = found
  return {
    // Without the account: the same location may be reachable through several.
    externalId: name,
    label: title || name,
    credentials: {
      ...(await credentials.read()),
      ...(languageCode !== undefined && { languageCode }),
      ...(metadata.mapsUri !== undefined && { mapsUri: metadata.mapsUri }),
    },
  }
}

/** Lists the reachable locations, since Google's own pages never show a location's full name. */
async function notThere(location: string, api: Api): Promise<string> {
  const names: string[] = []
  for (const account of await accountsOf(api)) {
    const locations = await locationsUnder(account, api)
    names.push(...locations.map(({ name, title }) => `${account}/${name} (${quoted(title)})`))
    if (names.length > MOST_NAMED) break
  }
  const has = names.length === 0 ? 'none' : names.slice(0, MOST_NAMED).join(', ')
  const more = names.length > MOST_NAMED ? ', ...' : ''
  return `location: the token has no access to ${location}. Locations it can access: ${has}${more}.`
}
