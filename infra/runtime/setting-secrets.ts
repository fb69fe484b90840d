import { unescape } from 'node:querystring'
import type { Settings } from './settings.ts'

/** The settings that must not be read anywhere: keys, and the passwords in addresses. */
export function secretsOf(settings: Settings): readonly string[] {
  const { ai, video, speech, media, apps } = settings
  const given = [
    ...(settings.ENCRYPTION_KEY ?? []),
    settings.METRICS_TOKEN,
    ...[ai, video, speech].map((server) => ('apiKey' in server ? server.apiKey : undefined)),
    media.kind === 's3' ? media.secretAccessKey : undefined,
    ...[...apps.values()].map(({ clientSecret }) => clientSecret),
    ...[settings.DATABASE_URL, settings.EVENTSTORE_URL, settings.NATS_URL].flatMap(passwordsOf),
    ...headerValues(settings.OTEL_EXPORTER_OTLP_HEADERS),
  ]
  return given.filter((secret) => secret !== undefined)
}

/** As it is written there, and as it is meant. NATS takes a token in the place of a user. */
function passwordsOf(url: string | undefined): readonly string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { username, password } = new URL(url)
  const secret = password === '' ? username : password
  return [secret, unescape(secret)]
}

function headerValues(list = ''): readonly string[] {
  return list.split(',').flatMap((header) => {
    const value = header.slice(header.indexOf('=') + 1).trim()
    // Behind `Bearer` or `Basic`, too.
    return [value, ...unescape(value).split(/\s+/)]
  })
}
