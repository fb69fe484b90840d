import { text } from '../core/text.ts'

/** How a workspace writes, in the words of its users: drafts by the AI and by agents follow it. Empty: nothing is said. */
export const voice = text(2_000)
