import { check } from '../../api/http/validation.ts'
import { undoSeconds } from '../../domain/workspace/undo.ts'

/** How long posts can be taken back. @throws Refusal invalid_request naming the option */
export function secondsOf(text: string, option: string): number {
  return check(undoSeconds, /^\d+$/.test(text) ? Number(text) : text, option)
}
