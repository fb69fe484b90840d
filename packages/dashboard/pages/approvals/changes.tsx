import type { ReactNode } from 'react'
import type { Approval } from '../../client/types.ts'
import { useAccountName } from '../../parts/accounts.tsx'
import { inOwnZone } from '../../parts/time.ts'

type Change = Approval['changes'][number]

const NAMES: Readonly<Record<string, string>> = {
  caption: 'Caption',
  captionOverrides: 'Captions by network',
  hashtags: 'Hashtags',
  media: 'Media',
  selections: 'Accounts',
  firstComment: 'First comment',
  platformOptions: 'Options by network',
  accountOptions: 'Options by account',
  parts: 'Parts',
  scheduledAtUtc: 'Time',
}

/** What was edited since the last decision. */
export function Changes({ of }: { readonly of: readonly Change[] }) {
  return <ChangesOf changes={of} nameOf={useAccountName()} />
}

/** The same where nobody is signed in. */
export function ChangesOf({
  changes: of,
  nameOf,
}: {
  readonly changes: readonly Change[]
  readonly nameOf: (accountId: string) => string
}) {
  if (of.length === 0) return null
  return (
    <section aria-label="Edited">
      <h3>Edited since the last review</h3>
      <dl className="diff">
        {of.map(({ field, before, after }) => (
          <div key={field}>
            <dt>{NAMES[field] ?? field}</dt>
            <dd>
              <del>{said(field, before, nameOf)}</del>
              <ins>{said(field, after, nameOf)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function said(field: string, value: unknown, nameOf: (id: string) => string): ReactNode {
  if (value === undefined || value === '') return 'none'
  if (field === 'scheduledAtUtc') return inOwnZone(String(value))
  if (field === 'selections') {
    return Object.values(value as Readonly<Record<string, readonly string[]>>)
      .flat()
      .map(nameOf)
      .join(', ')
  }
  if (field === 'media') {
    const media = value as readonly { readonly url: string; readonly altText?: string }[]
    return media.length === 0 ? 'none' : media.map(({ url, altText }) => altText ?? url).join(', ')
  }
  if (field === 'parts') return (value as readonly { readonly text: string }[]).map(({ text }) => text).join(' / ')
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
