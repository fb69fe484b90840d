import * as z from 'zod'
import { pinOptions } from './pinterest/options.ts'

/** What a post may set on one platform alone. */
export const platformOptions = z
  .strictObject({ pinterest: pinOptions.optional() })
  .describe('Options that only one platform has, by platform key.')
