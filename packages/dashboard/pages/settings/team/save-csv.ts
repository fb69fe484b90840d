import { errorOf } from '../../../client/api-error.ts'
import { api } from '../../../client/client.ts'
import type { ActivityQuery } from '../../../client/types.ts'
import { saveFile } from '../../../parts/save-file.ts'

/** Saves the activity as a file, which the API sends in parts. @throws ApiError */
export async function saveCsv(query: ActivityQuery): Promise<void> {
  const parts: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, error, response } = await api.GET('/activity', {
      params: { query: { ...query, ...(cursor && { cursor }) } },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    })
    if (!response.ok) throw errorOf(response, error)
    const text = String(data)
    // The header of the columns is that of the first part.
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1))
    cursor = response.headers.get('x-next-cursor')
  }
  saveFile('activity.csv', new Blob(parts, { type: 'text/csv' }))
}
