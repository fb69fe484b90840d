import { csvLine } from '../../kit/csv.ts'
import type { ActivityEntry } from './activity-schemas.ts'

export const CSV_HEADER = csvLine([
  ...['at', 'byKind', 'by', 'kind', 'summary', 'subject', 'subjectName', 'type', 'byId', 'requestId', 'id'],
])

export function asCsv({ at, by, kind, summary, subject, type, requestId = '', id }: ActivityEntry): string {
  return csvLine([at, by.kind, by.name, kind, summary, subject.id, subject.name ?? '', type, by.id, requestId, id])
}
