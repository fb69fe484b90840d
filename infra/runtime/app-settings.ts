/** The configuration of Facebook Login for Business. */
const CONFIGURATION = 'FACEBOOK_CONFIG_ID'
/** `<APP>_CLIENT_ID` and `<APP>_CLIENT_SECRET`: the operator's own app on a platform, `LINKEDIN` or `LINKEDIN_MEMBER`. */
const APP_FIELD = /^([A-Z]+(?:_[A-Z]+)?)_CLIENT_(ID|SECRET)$/

export interface AppSettings {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly configId?: string
}

/** Keyed by the lowercase name before `_CLIENT_`. */
export function appsIn(given: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, AppSettings> {
  const apps = new Map<string, AppSettings>()
  for (const [name, value] of Object.entries(given)) {
    const [, owner = '', field] = APP_FIELD.exec(name) ?? []
    if (field === undefined) continue
    const key = owner.toLowerCase()
    apps.set(key, { ...apps.get(key), [field === 'ID' ? 'clientId' : 'clientSecret']: value })
  }
  const configId = given[CONFIGURATION]
  if (configId) apps.set('facebook', { ...apps.get('facebook'), configId })
  return apps
}
