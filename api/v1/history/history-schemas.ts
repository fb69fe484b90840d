import * as z from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import { labelledReviewer } from '../../kit/names.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

/** A time in a query; becomes ISO 8601 UTC. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-05-31T16:00:00Z' })
  .transform((value) => new Date(value).toISOString())
  // An offset can shift the time out of the years 1 to 9999, which four digits cannot express and the database cannot compare.
  .refine((value) => /^(?!0000)\d{4}-/.test(value), { error: 'must be a time in the years 1 to 9999' })

/** Query of one resource as of a past time. */
export const atQuery = z.object({ at: time.optional().describe('The resource as it was at this time.') })

/** Query of a resource's events. */
export const historyQuery = pageQuery.extend({ at: time.optional().describe('Only events up to this time.') })

export const historySchema = z
  .object({
    revision: z.int().describe('Counts from 0, without gaps.'),
    type: z.string(),
    at: z.iso.datetime(),
    summary: z.string().describe('What happened, in one sentence.'),
    by: labelledReviewer.describe('The API key, dashboard user, command line or part of the service that did it.'),
    requestId: z.string().optional(),
    correlationId: z.string().describe('The same for everything that one request led to.'),
    causationId: z.string(),
    data: z.record(z.string(), z.unknown()).describe('The event as stored. It contains no secrets.'),
  })
  .meta({
    id: 'HistoryEntry',
    examples: [
      {
        revision: 0,
        type: 'PostQueued',
        at: EXAMPLE.at,
        summary: 'Queued by a request for 1 account on bluesky.',
        by: { kind: 'api-key', id: 'key_01JWB4R7T0W3Z6C9F2H5K8N1Q4', label: 'agent' },
        requestId: EXAMPLE.request,
        correlationId: EXAMPLE.request,
        causationId: EXAMPLE.request,
        data: {},
      },
    ],
  })
