import * as z from 'zod'
import { text } from '../../../domain/core/text.ts'
import { isTimeZone } from '../../../domain/post/wall-time.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { newPosts } from '../posts/new-posts.ts'
import { makeFields } from '../posts/make-fields.ts'
import { timezone } from '../posts/post-schemas.ts'
import { importedRow, importPlan, tryPlan } from './import-plan.ts'
import { COLUMNS } from './plan-csv.ts'

const importBody = z
  .object({
    csv: text(5_000_000).describe(
      `A CSV file with a header, at most 500 rows. Columns: ${COLUMNS.join(', ')}. scheduled_for is next-slot, a time in ` +
        'UTC, or a local time such as 2026-05-31 09:00. accounts, media_urls, alt_texts and media_type are separated by ' +
        'semicolons. An account is its id, or its platform and label such as bluesky:bakery.bsky.social. Without media_urls, a ' +
        'row is a text.',
    ),
    timezone: timezone
      .refine(isTimeZone, { error: 'must be an IANA name such as Europe/Berlin' })
      .default('UTC')
      .describe('Of local times; an IANA name.'),
    dryRun: z.boolean().default(false).describe('Checks and previews every row, and schedules nothing.'),
    onInvalid: z
      .enum(['reject', 'skip'])
      .default('reject')
      .describe('reject: schedule nothing if a row has a problem. skip: schedule the other rows.'),
    rows: z
      .array(z.int().positive())
      .max(500)
      .optional()
      .describe('Only these rows, such as those that a dry run found to be without problems. Default: all.'),
    ...makeFields,
  })
  .meta({
    example: {
      csv: 'scheduled_for,accounts,caption,media_urls\nnext-slot,bluesky:bakery.bsky.social,Fresh,https://example.com/bread.jpg\n',
      dryRun: true,
    },
  })

const importSchema = z
  .object({ scheduled: z.int().describe('How many rows were scheduled.'), rows: z.array(importedRow) })
  .meta({ id: 'ImportedPosts' })

export function importRoutes(services: Services): readonly AnyRoute[] {
  const make = newPosts(services)

  return [
    route({
      method: 'POST',
      path: '/scheduled-posts/import',
      operationId: 'importScheduledPosts',
      summary: 'Schedule posts from a CSV file',
      description:
        'Each row becomes a scheduled post. With dryRun, nothing is scheduled, and each row has the time it would get ' +
        'and what a preview says; without it, the rules of the platforms are not checked. A repeat with the same ' +
        'Idempotency-Key schedules no row twice.',
      reachesOut: true,
      mayConflict: true,
      tag: 'Scheduled posts',
      scope: 'posts:write',
      proposable: true,
      body: importBody,
      idempotent: true,
      answer: { status: 200, description: 'One item per row.', schema: importSchema },
      handle: async (request) => {
        const { dryRun, allowDuplicate, requestApproval, ...given } = request.body
        const plan = { ...given, workspaceId: request.caller.workspaceId, name: request.work }
        const rows = dryRun
          ? await tryPlan(services, plan)
          : await importPlan(services, plan, ({ id, content, due }) =>
              make.schedule(
                { ...request, body: { allowDuplicate, requestApproval }, work: id },
                id,
                content,
                due,
                'scheduled_for',
              ),
            )
        return { status: 200, body: { scheduled: rows.filter(({ id }) => id !== undefined).length, rows } }
      },
    }),
  ]
}
