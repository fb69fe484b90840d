import { unescape } from 'node:querystring'
import { ofFirstServer } from './setting-values.ts'
import type { Settings } from './settings.ts'

/** The settings that must never be shown: keys, and the passwords in URLs. */
export function secretsOf(settings: Settings): readonly string[] {
  const { ai, video, speech, media, apps } = settings
  const given = [
    ...(settings.ENCRYPTION_KEY ?? []),
    settings.METRICS_TOKEN,
    settings.oidc?.clientSecret,
    ...[ai, video, speech].map((server) => ('apiKey' in server ? server.apiKey : undefined)),
    media.kind === 's3' ? media.secretAccessKey : undefined,
    ...[...apps.values()].map(({ clientSecret }) => clientSecret),
    ...[settings.DATABASE_URL, settings.EVENTSTORE_URL, ...(settings.NATS_URL ?? [])].flatMap(passwordsOf),
    ...(settings.OPERATOR_NOTIFY ?? []).map(({ address }) => address),
    ...headerValues(settings.OTEL_EXPORTER_OTLP_HEADERS),
  ]
  return given.filter((secret) => secret !== undefined)
}

/** Both URL-encoded and decoded. NATS accepts a token in place of the user name. */
function passwordsOf(url: string | undefined): readonly string[] {
  const first = url && ofFirstServer(url)
  if (!first || !URL.canParse(first)) return []
  const { username, password } = new URL(first)
  const secret = password === '' ? username : password
  return [secret, unescape(secret)]
}

function headerValues(list = ''): readonly string[] {
  return list.split(',').flatMap((header) => {
    const value = header.slice(header.indexOf('=') + 1).trim()
    // Includes the part after `Bearer` or `Basic`.
    return [value, ...unescape(value).split(/\s+/)]
  })
}
