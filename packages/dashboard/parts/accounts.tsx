import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CheckboxGroup, Label } from 'react-aria-components'
import { useAccounts, usePlatforms } from '../client/queries.ts'
import type { Selections } from '../client/types.ts'
import { ButtonLink } from './buttons.tsx'
import { Checkbox } from './fields.tsx'
import { Empty, Loading, Problem, Status } from './shown.tsx'

/** A platform's name; its key until the name is loaded. */
export function PlatformName({ of }: { readonly of: string }) {
  return <span className="platform">{usePlatformName()(of)}</span>
}

export function usePlatformName(): (key: string) => string {
  const { data } = usePlatforms()
  return (key) => data?.find((platform) => platform.key === key)?.name ?? key
}

/** An account's label, or its id when it is no longer connected. */
export function AccountName({ of }: { readonly of: string | undefined }) {
  return <>{useAccountName()(of)}</>
}

export function useAccountName(): (id: string | undefined) => string {
  const { data } = useAccounts()
  const known = Object.values(data ?? {}).flat()
  return (id) => {
    if (id === undefined) return t`no account`
    if (!data) return '…'
    return known.find((account) => account.id === id)?.label ?? id
  }
}

/** Selects accounts on the given platforms, or on all. */
export function AccountPicker(props: {
  readonly label: string
  readonly value: Selections
  readonly onChange: (value: Selections) => void
  readonly platforms?: readonly string[]
}) {
  const { label, value, onChange, platforms } = props
  const accounts = useAccounts()
  const nameOf = usePlatformName()
  if (accounts.isPending) return <Loading />
  if (accounts.error) return <Problem error={accounts.error} onRetry={() => void accounts.refetch()} />
  const offered = Object.entries(accounts.data).filter(([platform]) => !platforms || platforms.includes(platform))
  if (offered.length === 0) {
    return (
      <Empty title={t`No accounts yet`} action={<ButtonLink to="/accounts">{t`Connect an account`}</ButtonLink>}>
        <Trans>Connect an account to publish to.</Trans>
      </Empty>
    )
  }
  const platformOf = new Map(offered.flatMap(([platform, list]) => list.map(({ id }) => [id, platform] as const)))
  const choose = (ids: readonly string[]) => {
    const next: Record<string, string[]> = {}
    for (const id of ids) {
      const platform = platformOf.get(id)
      if (platform !== undefined) (next[platform] ??= []).push(id)
    }
    onChange(next)
  }
  return (
    <CheckboxGroup className="picker" value={Object.values(value).flat()} onChange={choose}>
      <Label>{label}</Label>
      <div className="picker-list">
        {offered.map(([platform, list]) =>
          list.map((account) => (
            <Checkbox key={account.id} value={account.id}>
              <span className="platform">{nameOf(platform)}</span> <span className="muted">{account.label}</span>
              {account.status !== 'ready' && <Status of={account.status} />}
            </Checkbox>
          )),
        )}
      </div>
    </CheckboxGroup>
  )
}
