import { isDeepStrictEqual } from 'node:util'
import type { Approval, PostVersion } from '../../domain/post/approval.ts'
import { chainParts } from '../../domain/post/chain-parts.ts'
import { mediaOf } from '../../domain/post/post-media.ts'
import { versionOf, type ScheduledPostRow } from '../../projections/models/scheduled-posts.ts'

/** The fields of a request that were edited since the last decision. */
export function changesIn(row: ScheduledPostRow & { readonly approval: Approval }) {
  const { base } = row.approval
  if (!base) return []
  const [was, is] = [fieldsOf(base), fieldsOf(versionOf(row))]
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
