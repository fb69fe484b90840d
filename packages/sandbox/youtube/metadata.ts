import * as z from 'zod'
import { decode } from './refusal.ts'

const noSigns = (value: string): boolean => !/[<>]/.test(value)

const body = z.strictObject({
  snippet: z.strictObject({
    title: z
      .string()
      .refine((value) => value.trim() !== '' && value.length <= 100 && noSigns(value), 'invalid or empty video title'),
    description: z
      .string()
      .refine((value) => Buffer.byteLength(value, 'utf8') <= 5_000 && noSigns(value), 'invalid video description'),
    categoryId: z.string().regex(/^\d{1,4}$/, 'invalid category'),
  }),
  status: z.strictObject({
    privacyStatus: z.enum(['public', 'unlisted', 'private']),
    selfDeclaredMadeForKids: z.boolean(),
    containsSyntheticMedia: z.boolean().optional(),
  }),
})
export type Metadata = z.infer<typeof body>

/** @throws StandInRefusal 400 */
export function decodeMetadata(value: unknown): Metadata {
  const reasons = {
    'snippet.title': 'invalidTitle',
    'snippet.description': 'invalidDescription',
    'snippet.categoryId': 'invalidCategoryId',
  }
  return decode(body, value, reasons, 'invalidVideoMetadata')
}
