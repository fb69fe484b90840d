import * as z from 'zod'
import { FAMILIES, namesOf, shown, type Naming } from './fields.ts'
import type { Row } from './rows.ts'
import { USER_FIELDS } from './user-fields.ts'

const MEDIA_FIELDS = [
  ...['alt_text', 'duration_ms', 'height', 'media_key', 'non_public_metrics', 'organic_metrics', 'preview_image_url'],
  ...['promoted_metrics', 'public_metrics', 'type', 'url', 'variants', 'width'],
]
const POLL_FIELDS = ['duration_minutes', 'end_datetime', 'id', 'options', 'voting_status']
const PLACE_FIELDS = ['contained_within', 'country', 'country_code', 'full_name', 'geo', 'id', 'name', 'place_type']

/** The parameters of every call that returns posts. What the sandbox has nothing of is accepted, and left out of the answer. */
export function postParameters(naming: Naming) {
  const { parameter, fields, expansions } = FAMILIES[naming]
  return {
    [parameter]: namesOf(Object.keys(fields)),
    expansions: namesOf(Object.keys(expansions)),
    'user.fields': namesOf(Object.keys(USER_FIELDS)),
    'media.fields': namesOf(MEDIA_FIELDS),
    'poll.fields': namesOf(POLL_FIELDS),
    'place.fields': namesOf(PLACE_FIELDS),
  }
}

const names = z.array(z.string())

/** Posts as the answer's `data`, and what they refer to as its `includes`. */
export function shownPosts(
  rows: readonly Row[],
  asked: Readonly<Record<string, unknown>>,
  naming: Naming,
): { readonly data: readonly object[]; readonly includes?: object } {
  const family = FAMILIES[naming]
  const expansions = names.parse(asked['expansions'])
  const data = rows.map((row) => shown(row, [...names.parse(asked[family.parameter]), ...expansions], family))
  const users = [...new Map(rows.map(({ author }) => [author.id, author])).values()]
  const media = rows.flatMap(({ mediaKeys }) => mediaKeys.map((media_key) => ({ media_key, type: kindOf(media_key) })))
  const includes = {
    ...(expansions.includes('author_id') && { users }),
    ...(expansions.includes('attachments.media_keys') && media.length > 0 && { media }),
  }
  return { data, ...(Object.keys(includes).length > 0 && { includes }) }
}

function kindOf(mediaKey: string): string {
  return mediaKey.startsWith('3_') ? 'photo' : mediaKey.startsWith('16_') ? 'animated_gif' : 'video'
}
