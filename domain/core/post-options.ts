import * as z from 'zod'

/** What a post sets that only one platform or account has. */
export const postOptions = {
  /** By platform, such as the board of a Pin. */
  platformOptions: z.record(z.string(), z.record(z.string(), z.unknown()).optional()).optional(),
  /** By account, what takes precedence over that. */
  accountOptions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
}

/** What they read once they are erased. */
export const erasedOptions = { platformOptions: undefined, accountOptions: undefined }
