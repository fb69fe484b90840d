import type { PlatformKey } from '../core/platform.ts'
import type { PostContent } from './post.ts'

/** What platforms will charge, in millionths of a US dollar. */
export interface Prices {
  /** For a post on all its accounts, with the parts of a chain and first comments. */
  ofPost(content: PostContent): Promise<number>
  ofReply(account: { readonly platform: PlatformKey; readonly baseUrl: string | null }, text: string): number
}
