import * as z from 'zod'
import { isPlatformKey } from '../../../domain/core/platform.ts'
import { DAYS } from '../../../domain/core/slot-plan.ts'
import { isTimeZone } from '../../../domain/post/wall-time.ts'
import { text } from '../../../domain/core/text.ts'
import { time as moment } from '../history/history-schemas.ts'
import { time, timezone } from '../posts/post-schemas.ts'

const slots = z.array(z.object({ day: z.enum(DAYS), time })).max(100, { error: 'has more than 100 slots' })
const platformKey = z.string().refine((key) => isPlatformKey(key) as boolean, { error: 'is not a platform' })

const EXAMPLE_PLAN = {
  timezone: 'Europe/Berlin',
  default: [
    { day: 'monday' as const, time: '09:00' },
    { day: 'thursday' as const, time: '17:30' },
  ],
  platforms: { instagram: [{ day: 'friday' as const, time: '18:00' }] },
}

export const slotsBody = z
  .object({
    timezone: timezone.refine(isTimeZone, { error: 'must be an IANA name such as Europe/Berlin' }),
    default: slots.describe('For every platform without slots of its own.'),
    platforms: z
      .record(platformKey, slots)
      .default({})
      .describe('Platform key to the slots that replace the default ones.'),
  })
  .meta({ example: EXAMPLE_PLAN })

export const slotsSchema = z
  .object({ timezone: z.string(), default: slots, platforms: z.record(z.string(), slots) })
  .meta({ id: 'Slots', examples: [EXAMPLE_PLAN] })

const list = text(5000).transform((value) => value.split(',').filter((item) => item !== ''))

export const nextSlotsQuery = z
  .object({
    platforms: list
      .refine((keys) => keys.every(isPlatformKey), { error: 'must be platform keys, separated by commas' })
      .optional()
      .describe(
        'Platform keys, separated by commas: times at which none of their accounts has a scheduled post. Default: all platforms with accounts.',
      ),
    accountIds: list.optional().describe('Ids of accounts, separated by commas, instead of platforms.'),
    postId: text(100).optional().describe('A scheduled post whose own time counts as free.'),
    from: moment.optional().describe('Only slots at this time or later. Default: now.'),
    to: moment.optional().describe('Only slots before this time. Default: in a year.'),
    limit: z.coerce.number().int().min(1).max(1000).default(5),
  })
  .refine(({ platforms = [], accountIds = [] }) => platforms.length === 0 || accountIds.length === 0, {
    error: 'must have platforms or accountIds, not both',
  })

export const nextSlotsSchema = z
  .object({
    slots: z.array(
      z.object({ scheduledAtUtc: z.iso.datetime(), date: z.string(), time: z.string(), timezone: z.string() }),
    ),
  })
  .meta({
    id: 'NextSlots',
    examples: [
      {
        slots: [
          { scheduledAtUtc: '2026-06-01T07:00:00.000Z', date: '2026-06-01', time: '09:00', timezone: 'Europe/Berlin' },
        ],
      },
    ],
  })
