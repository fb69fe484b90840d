import { z } from 'zod'
import { tokenFields } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials } from '../kit/platform.ts'

const locationName = z
  .string()
  .regex(/^accounts\/\d+\/locations\/\d+$/, 'must have the form accounts/123/locations/456')

export const credentialsSchema = z.object({
  location: locationName.describe('full name of the location, such as accounts/123/locations/456'),
  ...tokenFields,
  clientId: z.string().min(1).optional().describe('OAuth client id of your Google Cloud project, to renew the access'),
  clientSecret: z.string().min(1).optional().describe('OAuth client secret of the same project'),
})

/** Where an account's posts go, with what `connect` learned about the location. */
export const placeSchema = credentialsSchema.pick({ location: true }).extend({
  languageCode: z.string().min(1).optional(),
  /** The location on Google Maps, for posts without a URL of their own. */
  mapsUri: z.string().min(1).optional(),
})
export type Place = z.infer<typeof placeSchema>

/** @throws PlatformError naming each wrong field */
export function givenCredentials(given: Credentials): z.infer<typeof credentialsSchema> {
  const result = credentialsSchema.safeParse(given)
  if (!result.success) {
    const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new PlatformError('permanent', `Google Business credentials: ${wrong.join('; ')}.`)
  }
  const { refreshToken, clientId, clientSecret } = result.data
  if (refreshToken !== undefined && (clientId === undefined || clientSecret === undefined)) {
    throw new PlatformError('permanent', 'clientId and clientSecret are required with refreshToken.')
  }
  return result.data
}

/** @throws PlatformError `needs-reauth` if they are not what `connect` stored */
export function placeOf(stored: Credentials): Place {
  const result = placeSchema.safeParse(stored)
  if (result.success) return result.data
  throw new PlatformError('needs-reauth', 'The stored credentials contain no location. Connect the account again.')
}
