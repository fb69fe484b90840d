import * as z from 'zod'
import { checkedCredentials, mustNameApp, optionalText, storedCredentials } from '../kit/credentials.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import type { Credentials } from '../kit/platform.ts'

const locationName = z
  .string()
  .regex(/^accounts\/\d+\/locations\/\d+$/, 'must have the form accounts/123/locations/456')

export const credentialsSchema = z.object({
  location: locationName.describe('full name of the location, such as accounts/123/locations/456'),
  ...tokenFields,
  clientId: optionalText.describe('OAuth client id of your Google Cloud project, to renew the access'),
  clientSecret: optionalText.describe('OAuth client secret of the same project'),
})

/** Where an account's posts go, with what `connect` learned about the location. */
export const placeSchema = credentialsSchema.pick({ location: true }).extend({
  languageCode: optionalText,
  /** The location on Google Maps, for posts without a URL of their own. */
  mapsUri: optionalText,
})
export type Place = z.infer<typeof placeSchema>

/** @throws PlatformError naming each wrong field */
export function givenCredentials(given: Credentials): z.infer<typeof credentialsSchema> {
  const checked = checkedCredentials(credentialsSchema, given, 'googlebusiness')
  mustNameApp(given)
  return checked
}

/** @throws PlatformError `needs-reauth` if they are not what `connect` stored */
export function placeOf(stored: Credentials): Place {
  return storedCredentials(placeSchema, stored, 'googlebusiness')
}
