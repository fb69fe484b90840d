import { openLinks, type Approval, type Reviewer } from '../../../domain/post/approval.ts'
import type { ShownScheduledPost } from '../../../projections/models/scheduled-posts.ts'
import { changesIn } from '../../kit/changes-in.ts'
import { actorName, type Names } from '../../kit/names.ts'
import { shown } from '../../kit/shown.ts'
import { presentRow } from '../scheduled-posts/present-scheduled-post.ts'
import { approvalSchema } from './approval-schemas.ts'

/** @param now ms since the epoch */
export function presentApproval(row: ShownScheduledPost & { readonly approval: Approval }, names: Names, now: number) {
  const { id, approval } = row
  const named = <By extends Reviewer>(by: By) => ({ ...by, label: actorName(by, names) })
  const links = row.status === 'pending' ? openLinks(approval, now) : []
  return shown(approvalSchema, {
    ...approval,
    id,
    requestedBy: named(approval.requestedBy),
    decidedBy: approval.decidedBy && named(approval.decidedBy),
    remarks: approval.remarks.map((remark) => ({ ...remark, by: named(remark.by) })),
    changes: changesIn(row),
    links: links.map(({ linkId, label, mayDecide, expiresAt }) => ({ id: linkId, label, mayDecide, expiresAt })),
    post: presentRow(row),
  })
}
