import type { Checked, TextLength } from './media-set.ts'
import type { Credentials, Platform, PublishJob } from './platform.ts'

/** What previews show of a platform, besides the rules that a post breaks. */
export interface Previewed {
  /** How long the text of a post is. Pure. */
  measure(post: Checked): TextLength
  /** The title that people see of a post. Absent where there is none but the text. Pure. */
  titleOf?(post: Pick<PublishJob, 'text' | 'options' | 'mediaUrl' | 'mediaType' | 'media'>): string | undefined
  /** The platform with the rules for an account, where its credentials say what it may. */
  forAccount?(credentials: Credentials): Platform
}
