import type { Prepared } from '../kit/platform.ts'

/** Result of checking earlier work. */
export type Step =
  | Prepared
  /** It failed and certainly was not published. */
  | { readonly outcome: 'start over'; readonly failures: number }
