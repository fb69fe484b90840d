import { is } from './api.ts'

/** Reads pages with one of several sets of fields. */
export type WithFields = <Page>(read: (fields: string) => AsyncIterable<Page>) => AsyncGenerator<Page>

/**
 * Requests as many fields as the token may read: a single forbidden one fails the whole call. The set that worked is tried
 * first for the next list.
 *
 * @param fieldSets the fullest first; a failure with the last one is thrown
 */
export function fewerFields(fieldSets: readonly string[]): WithFields {
  let first = 0
  return async function* (read) {
    for (const [index, fields] of [...fieldSets.entries()].slice(first)) {
      try {
        for await (const page of read(fields)) {
          first = index
          yield page
        }
        return
      } catch (error) {
        if (index === fieldSets.length - 1 || !is(error, 'refused', 'permission', 'capability')) throw error
      }
    }
  }
}
