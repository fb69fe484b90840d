import * as z from 'zod'
import type { DraftContent } from '../../../domain/post/draft.ts'
import type { PostContent } from '../../../domain/post/post.ts'
import { check } from '../../http/validation.ts'
import { checkAccountOptions } from './account-options.ts'
import { chainFields, contentOfChain, givenParts } from './chain-schemas.ts'
import { checkMedia, filledIn } from './media-items.ts'
import { date, postBody, postFields, scheduledFor, time, timezone, utcTime } from './post-schemas.ts'

type Inner<F> = F extends z.ZodDefault<infer T> ? T : F extends z.ZodOptional<infer T> ? T : F
type Clearable<S> = {
  [Field in keyof S]: Inner<S[Field]> extends z.ZodType ? z.ZodOptional<z.ZodNullable<Inner<S[Field]>>> : never
}
type Changeable<S> = {
  [Field in keyof S]: S[Field] extends z.ZodOptional<z.ZodType>
    ? Clearable<S>[Field]
    : Inner<S[Field]> extends z.ZodType
      ? z.ZodOptional<Inner<S[Field]>>
      : never
}

/** The same fields for a change: each may be left out, and null removes it. */
export function clearable<S extends z.ZodRawShape>(shape: S): Clearable<S> {
  return mapped(shape, (inner) => inner.nullable().optional()) as Clearable<S>
}

/** The same fields for a change: each may be left out, and null removes one that a post need not have. */
function changeable<S extends z.ZodRawShape>(shape: S): Changeable<S> {
  return mapped(shape, (inner, isOptional) =>
    isOptional ? inner.nullable().optional() : inner.optional(),
  ) as Changeable<S>
}

function mapped(shape: z.ZodRawShape, change: (inner: z.ZodType, isOptional: boolean) => z.ZodType): z.ZodRawShape {
  const fields = Object.entries(shape).map(([name, given]) => {
    const field = given as z.ZodType
    const isOptional = field instanceof z.ZodOptional
    const inner = isOptional || field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field
    return [name, described(change(inner, isOptional), field)]
  })
  return Object.fromEntries(fields) as z.ZodRawShape
}

function described(schema: z.ZodType, like: z.ZodType): z.ZodType {
  return like.description === undefined ? schema : schema.describe(like.description)
}

/** Any fields of the content of a post. */
export const changedFields = {
  ...changeable(postFields),
  parts: chainFields.parts
    .optional()
    .describe('All parts of a chain or of a text. They replace the captions, hashtags, media and first comment.'),
}

/** Body of PATCH /scheduled-posts/{id}: the time is a UTC timestamp, or a local date, time and zone. */
export const editPostBody = z
  .object({
    ...changedFields,
    scheduledFor: scheduledFor.optional(),
    scheduledAtUtc: utcTime.optional(),
    date: date.optional(),
    time: time.optional(),
    timezone: timezone.optional(),
  })
  .superRefine(checkMedia)
  .refine(
    ({ scheduledFor, scheduledAtUtc, date, time, timezone }) =>
      [scheduledFor, scheduledAtUtc, date ?? time ?? timezone].filter((given) => given !== undefined).length <= 1,
    { error: 'must have scheduledFor, scheduledAtUtc, or date, time and timezone, not several of them' },
  )
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'needs at least one field to change',
  })
  .meta({ example: { caption: 'Fresh from the oven', date: '2099-06-01', time: '10:30' } })

const { caption, captionOverrides, hashtags, platformOptions, accountOptions } = changedFields

/** Body of POST /posts/{id}/edit. */
export const editPublishedBody = z
  .strictObject({
    caption,
    captionOverrides: captionOverrides.describe('Replaces all earlier ones.'),
    hashtags: hashtags.describe('Replace all earlier ones.'),
    platformOptions: platformOptions.describe(
      'Each option that is given replaces the earlier one. A platform on which the post is published can change only some.',
    ),
    accountOptions: accountOptions.describe(
      'Account id to options, as in platformOptions, for that account alone. They take precedence over those of platformOptions.',
    ),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'needs at least one field to change',
  })
  .meta({ example: { caption: 'Rye bread, fresh from the oven at seven' } })

/**
 * The content after a change: fields that are undefined stay as they are, and null removes one. The media of a change replace all
 * earlier ones, by whichever field they are given. Options of accounts that are no longer selected go with them.
 */
export function withChanges<Content extends DraftContent>(content: Content, changes: object): Content {
  const given = filledIn(changes) as DraftContent
  const after: DraftContent = { ...content, ...fieldsOf(given, (value) => value !== undefined) }
  const isOtherMedia = after.mediaUrl !== content.mediaUrl || after.mediaType !== content.mediaType
  const selected = new Set(Object.values(after.selections ?? {}).flat())
  const changed = {
    ...after,
    media: isOtherMedia ? given.media : after.media,
    accountOptions:
      after.accountOptions && !given.accountOptions
        ? fieldsOf(after.accountOptions, (_, id) => selected.has(id))
        : after.accountOptions,
  }
  return fieldsOf(changed, (value) => value != null) as Content
}

/**
 * A post after a change of its content.
 *
 * @throws Refusal invalid_request naming the field
 */
export function changedPost({ workspaceId, ...before }: PostContent, changes: object): PostContent {
  if (!('parts' in changes) && before.mediaType !== 'text' && !before.chain) {
    return { ...check(postBody, withChanges(before, changes), 'the post'), workspaceId }
  }
  // What it was without its parts is a chain's as well: where it goes, and options.
  const { selections, platformOptions, accountOptions } = before
  const chain = { parts: givenParts(before), selections, platformOptions, accountOptions }
  const ofParts = 'parts' in changes || before.chain ? changes : partChanges(before, changes)
  return { ...contentOfChain(check(editedChain, withChanges(chain, ofParts), 'the post')), workspaceId }
}

/** The same changes of a text, whose only part has its captions. */
function partChanges(
  before: Omit<PostContent, 'workspaceId'>,
  { caption, captionOverrides, ...others }: Partial<Pick<PostContent, 'caption' | 'captionOverrides'>>,
): object {
  if (caption === undefined && captionOverrides === undefined) return others
  return { ...others, parts: givenParts(withChanges(before, { caption, captionOverrides })) }
}

/** A chain has no fields of a post with media. */
const editedChain = z
  .strictObject(chainFields, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `${String(keys)} cannot be changed alone: pass all parts in parts` : undefined,
  })
  .superRefine(checkAccountOptions)

function fieldsOf<Fields extends object>(
  fields: Fields,
  isKept: (value: unknown, name: string) => boolean,
): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKept(value, name))) as Partial<Fields>
}
