import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../domain/core/event.ts'
import type { Approval, PostVersion } from '../../../domain/post/approval.ts'
import { mediaOf } from '../../../domain/post/post-media.ts'
import { versionOf, type ShownScheduledPost } from '../../../projections/models/scheduled-posts.ts'
import { actorName, type Names } from '../../kit/names.ts'
import { shown } from '../../kit/shown.ts'
import { chainParts } from '../posts/chain-schemas.ts'
import { presentRow } from '../scheduled-posts/present-scheduled-post.ts'
import { approvalSchema } from './approval-schemas.ts'

export function presentApproval(row: ShownScheduledPost & { readonly approval: Approval }, names: Names) {
  const { id, approval } = row
  const named = (actor: Actor) => ({ ...actor, label: actorName(actor, names) })
  return shown(approvalSchema, {
    ...approval,
    id,
    requestedBy: named(approval.requestedBy),
    decidedBy: approval.decidedBy && named(approval.decidedBy),
    remarks: approval.remarks.map((remark) => ({ ...remark, by: named(remark.by) })),
    changes: approval.base ? changesOf(approval.base, versionOf(row)) : [],
    post: presentRow(row),
  })
}

/** The fields of a request that differ. */
function changesOf(before: PostVersion, after: PostVersion) {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names]
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after))
}

function fieldsOf({ content, due }: PostVersion): Readonly<Record<string, unknown>> {
  const { workspaceId: _w, mediaUrl: _u, mediaType: _t, chain, ...fields } = content
  const parts = chain ? { parts: chainParts(content) } : {}
  return { ...fields, media: mediaOf(content), ...parts, scheduledAtUtc: due.dueAt }
}
