import type { Prepared } from '../kit/platform.ts'

/** What a look at earlier work comes to. */
export type Step =
  | Prepared
  /** It came to nothing and surely was not published. */
  | { readonly outcome: 'start anew'; readonly failures: number }
