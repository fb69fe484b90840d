import * as z from 'zod'
import { likeliestName } from '../../infra/runtime/misspelled.ts'

/** A strict object that names the likeliest known key for an unknown one. */
export function namedOptions<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => {
      const [key = ''] = issue.code === 'unrecognized_keys' ? issue.keys : []
      const meant = likeliestName(key, known)
      return meant === undefined ? undefined : `Unrecognized key: "${key}". Did you mean ${meant}?`
    },
  })
}
