import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'

const counted = z.object({ summary: z.object({ total_count: z.number() }).optional() })

/** Without a task on the Page the list is empty, without an error; the count is still returned. @throws PlatformError */
export async function hasComments(objectId: string, session: Session, io: RestIo): Promise<boolean> {
  const query = { filter: 'toplevel', summary: 'true', limit: '0' }
  const call = { method: 'GET', path: `/${objectId}/comments`, query } as const
  const { summary } = await graph(session, call, counted, io)
  return (summary?.total_count ?? 0) > 0
}
