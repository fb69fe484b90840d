import type { References, ReplyRules } from '../../../domain/conversation/comment.ts'
import { Refusal } from '../../../domain/core/errors.ts'

/** @throws Refusal invalid_request naming the reference that a reply on the platform requires */
export function mustHave({ requires }: ReplyRules, platform: string, references: References): void {
  const missing = requires.find((name) => references[name] === undefined)
  if (missing !== undefined) {
    throw new Refusal('invalid_request', `${missing} is required for ${platform}: copy it from GET /comments`)
  }
}

/** @throws Refusal invalid_request naming the field and the platform's rules that it breaks */
export function mustKeepRules(rules: ReplyRules, text: string, field: string): void {
  const broken = rules.check(text)
  if (broken.length > 0) throw new Refusal('invalid_request', `${field}: ${broken.join(' ')}`)
}
