import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Approval } from '../../client/types.ts'
import { useAccountName } from '../../parts/accounts.tsx'
import { inOwnZone } from '../../parts/time.ts'

type Change = Approval['changes'][number]

const NAMES: Readonly<Record<string, string>> = {
  caption: t`Caption`,
  captionOverrides: t`Captions by network`,
  hashtags: t`Hashtags`,
  media: t`Media`,
  selections: t`Accounts`,
  firstComment: t`First comment`,
  platformOptions: t`Options by network`,
  accountOptions: t`Options by account`,
  parts: t`Parts`,
  scheduledAtUtc: t({ message: 'Time', context: 'date and time' }),
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
    <section aria-label={t`Edited`}>
      <h2>
        <Trans>Edited since the last review</Trans>
      </h2>
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
  if (value === undefined || value === '') return t`none`
  if (field === 'scheduledAtUtc') return inOwnZone(String(value))
  if (field === 'selections') {
    return Object.values(value as Readonly<Record<string, readonly string[]>>)
      .flat()
      .map(nameOf)
      .join(', ')
  }
  if (field === 'media') {
    const media = value as readonly { readonly url: string; readonly altText?: string }[]
    return media.length === 0 ? t`none` : media.map(({ url, altText }) => altText ?? url).join(', ')
  }
  if (field === 'parts') return (value as readonly { readonly text: string }[]).map(({ text }) => text).join(' / ')
  if (Array.isArray(value)) return value.length === 0 ? t`none` : value.join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
