import * as z from 'zod'
import { list } from './setting-values.ts'

/** Where the operator is told what is wrong with the servers. */
export interface OperatorTarget {
  readonly kind: 'email' | 'ntfy' | 'slack' | 'discord'
  /** An e-mail address, or a URL that is as good as a password. */
  readonly address: string
}

/** `ntfy:https://ntfy.sh/my-topic, email:ops@example.com` */
export const operatorTargets = list(
  z.string().transform((value, context): OperatorTarget => {
    const [, kind, address = ''] = /^(email|ntfy|slack|discord):(.+)$/.exec(value) ?? []
    const isRight = kind === 'email' ? z.email().safeParse(address).success : isHttp(address)
    if (kind !== undefined && isRight) return { kind: kind as OperatorTarget['kind'], address }
    context.addIssue({
      code: 'custom',
      message:
        'must be one or more of email:, ntfy:, slack: and discord:, each with an address or a URL, such as ' +
        'ntfy:https://ntfy.sh/my-topic',
    })
    return z.NEVER
  }),
)

function isHttp(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol)
}
