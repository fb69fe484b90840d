import * as z from 'zod'

/** A link that a post sets. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .max(2048)
