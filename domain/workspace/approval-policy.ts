import * as z from 'zod'
import { text } from '../core/text.ts'

/** Whose posts need approval: of nobody, of those who may not approve, or of everyone. */
export const NEEDS_APPROVAL = ['nobody', 'authors', 'everyone'] as const

export const approvalPolicy = z.object({
  who: z.enum(NEEDS_APPROVAL),
  /** Absent: of all accounts. */
  accountIds: z.array(text(100)).max(1000).optional(),
})
export type ApprovalPolicy = Readonly<z.infer<typeof approvalPolicy>>

/**
 * Whether what somebody writes for these accounts needs the approval of somebody else.
 *
 * @param mayDecide whether they may approve what others write
 */
export function needsApproval(
  policy: ApprovalPolicy | undefined,
  accountIds: readonly string[],
  mayDecide: boolean,
): boolean {
  if (!policy || policy.who === 'nobody' || (policy.who === 'authors' && mayDecide)) return false
  const { accountIds: concerned } = policy
  return concerned === undefined || accountIds.some((id) => concerned.includes(id))
}
