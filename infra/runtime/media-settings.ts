import * as z from 'zod'
import { trimEnd } from './trim-end.ts'

export const bucketName = z.string().regex(/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i, {
  error: 'must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens',
})
export const regionName = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/i, { error: 'must be the name of a region, such as us-east-1' })

/** A bucket in an S3-compatible store. */
export interface S3Bucket {
  /** The base URL of its files, without a trailing slash. */
  readonly bucketUrl: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export type MediaSettings = { readonly kind: 'files' } | ({ readonly kind: 's3' } & S3Bucket)

export const S3_ADDRESSING = ['path', 'host'] as const

/** As given in the environment. */
export interface GivenMediaSettings {
  readonly MEDIA_S3_ENDPOINT?: string | undefined
  readonly MEDIA_S3_BUCKET?: string | undefined
  readonly MEDIA_S3_REGION: string
  readonly MEDIA_S3_ACCESS_KEY_ID?: string | undefined
  readonly MEDIA_S3_SECRET_ACCESS_KEY?: string | undefined
  readonly MEDIA_S3_ADDRESSING: (typeof S3_ADDRESSING)[number]
}

/** These four are required for a bucket; the others have defaults. */
const NEEDED = {
  MEDIA_S3_ENDPOINT: 'a URL such as https://s3.eu-central-1.amazonaws.com',
  MEDIA_S3_BUCKET: 'the name of a bucket',
  MEDIA_S3_ACCESS_KEY_ID: 'the id of a key that may use the bucket',
  MEDIA_S3_SECRET_ACCESS_KEY: 'the secret of that key',
} as const

/** Where generated media are stored, or what is wrong: one line per setting. */
export function mediaSettings(given: GivenMediaSettings): MediaSettings | { readonly problems: readonly string[] } {
  const {
    MEDIA_S3_ENDPOINT: endpoint,
    MEDIA_S3_BUCKET: bucket,
    MEDIA_S3_REGION: region,
    MEDIA_S3_ACCESS_KEY_ID: accessKeyId,
    MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey,
    MEDIA_S3_ADDRESSING: addressing,
  } = given
  if (endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return withoutBucket(given)
  }
  const url = bucketUrl(endpoint, bucket, addressing)
  if (!URL.canParse(url)) {
    return {
      problems: ['MEDIA_S3_ADDRESSING: can be host only if MEDIA_S3_ENDPOINT has a host name, not an IP address'],
    }
  }
  return { kind: 's3', bucketUrl: url, region, accessKeyId, secretAccessKey }
}

function withoutBucket(given: GivenMediaSettings): ReturnType<typeof mediaSettings> {
  const names = Object.keys(NEEDED) as (keyof typeof NEEDED)[]
  const set = names.filter((name) => given[name] !== undefined)
  if (set.length === 0) return { kind: 'files' }
  const missing = names.filter((name) => given[name] === undefined)
  return {
    problems: missing.map((name) => `${name}: is required with ${set.join(' and ')}; set it to ${NEEDED[name]}`),
  }
}

function bucketUrl(endpoint: string, bucket: string, addressing: GivenMediaSettings['MEDIA_S3_ADDRESSING']): string {
  const { protocol, host, pathname } = new URL(endpoint)
  const base = trimEnd(pathname, /^\/$/)
  return addressing === 'host' ? `${protocol}//${bucket}.${host}${base}` : `${protocol}//${host}${base}/${bucket}`
}
