import * as z from 'zod'
import { decode } from './refusal.ts'

/** They are stored as a list with commas, in which a tag with a space has quotation marks. */
const tagCharacters = (tags: readonly string[]): number =>
  tags.map((tag) => (tag.includes(' ') ? `"${tag}"` : tag)).join(',').length
/** The categories that `videoCategories.list` gives for most regions with `assignable: true`. */
const ASSIGNABLE = new Set([1, 2, 10, 15, 17, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29].map(String))
const noSigns = (value: string): boolean => !/[<>]/.test(value)

const title = z
  .string()
  .refine((value) => value.trim() !== '' && value.length <= 100 && noSigns(value), 'invalid or empty video title')
const category = z.string().refine((value) => ASSIGNABLE.has(value), 'invalid category')
const texts = {
  title,
  description: z
    .string()
    .refine((value) => Buffer.byteLength(value, 'utf8') <= 5_000 && noSigns(value), 'invalid video description')
    .default(''),
  tags: z
    .array(z.string())
    .refine((tags) => tagCharacters(tags) <= 500, 'invalid video keywords')
    .optional(),
  defaultLanguage: z.string().min(2).optional(),
}

const body = z.strictObject({
  snippet: z.strictObject({ ...texts, categoryId: category.default('22') }),
  status: z
    .strictObject({
      privacyStatus: z.enum(['public', 'unlisted', 'private']).default('public'),
      selfDeclaredMadeForKids: z.boolean().default(false),
      containsSyntheticMedia: z.boolean().optional(),
      embeddable: z.boolean().default(true),
      license: z.enum(['youtube', 'creativeCommon']).default('youtube'),
      publicStatsViewable: z.boolean().default(true),
    })
    .prefault({}),
})
export type Metadata = z.infer<typeof body>

/** Of an update: Google deletes what it leaves out, and requires the category. */
const update = z.strictObject({
  id: z.string(),
  snippet: z.strictObject({ ...texts, categoryId: category, defaultAudioLanguage: z.string().min(2).optional() }),
})
export type Update = z.infer<typeof update>

const REASONS = {
  'snippet.title': 'invalidTitle',
  'snippet.description': 'invalidDescription',
  'snippet.categoryId': 'invalidCategoryId',
  'snippet.tags': 'invalidTags',
}

/** @throws StandInRefusal 400 */
export function decodeMetadata(value: unknown): Metadata {
  return decode(body, value, REASONS, 'invalidVideoMetadata')
}

/** @throws StandInRefusal 400 */
export function decodeUpdate(value: unknown): Update {
  return decode(update, value, REASONS, 'invalidVideoMetadata')
}
