import * as z from 'zod'
import { PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import type { CompetitorRow } from '../../../projections/models/competitors.ts'
import { shown } from '../../kit/shown.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

export const competitorSchema = z
  .object({
    id: z.string(),
    platform: z.enum(PLATFORM_KEYS),
    handle: z.string().describe('As displayed, without @.'),
    label: z.string(),
    followers: z.int().nonnegative().optional(),
    followersChange30d: z.int().optional().describe('Change from 30 days before; omitted if unknown.'),
    postsPerWeek: z.number().nonnegative().optional().describe('Over the last 30 days.'),
    interactionsPerPost: z.number().nonnegative().optional().describe('Mean over the posts of the last 30 days.'),
    viewsPerPost: z.number().nonnegative().optional().describe('Mean over the posts of the last 30 days.'),
    lookedAt: z.iso.datetime().optional().describe('When the platform reported these figures.'),
    lastError: z.string().optional().describe('Why the figures are out of date.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Competitor',
    examples: [
      {
        id: 'comp_01JWB72A9C4E7G0J3M6P9S2V5Y',
        platform: 'x',
        handle: 'rivalbakery',
        label: 'Rival Bakery',
        followers: 5210,
        followersChange30d: 84,
        postsPerWeek: 4.2,
        interactionsPerPost: 61.5,
        lookedAt: EXAMPLE.at,
        createdAt: EXAMPLE.at,
      },
    ],
  })

/** Unknown figures are absent, never zero. */
export function presentCompetitor(row: CompetitorRow): z.infer<typeof competitorSchema> {
  return shown(competitorSchema, { ...row, ...row.figures })
}
