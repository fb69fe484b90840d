import { t } from '@lingui/core/macro'
import { useAccounts } from '../client/queries.ts'
import { usePlatformName } from './accounts.tsx'
import { Choice } from './fields.tsx'

interface Value {
  readonly platform: string
  readonly account: string
}

/** Chooses a network and an account. @param isOffered which networks there are to choose from */
export function AccountFilter(props: {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly isOffered?: (platform: string) => boolean
}) {
  const { value, onChange, isOffered = () => true } = props
  const { data = {} } = useAccounts()
  const nameOf = usePlatformName()
  const platforms = Object.keys(data).filter(isOffered)
  const accounts = Object.entries(data).flatMap(([platform, list]) =>
    isOffered(platform) && (value.platform === '' || value.platform === platform) ? list : [],
  )
  const choose = (platform: string) => {
    const isThere = platform === '' || data[platform]?.some(({ id }) => id === value.account)
    onChange({ platform, account: isThere ? value.account : '' })
  }
  return (
    <>
      <Choice
        label={t`Network`}
        value={value.platform}
        options={[
          { value: '', label: t`All networks` },
          ...platforms.map((key) => ({ value: key, label: nameOf(key) })),
        ]}
        onChange={choose}
      />
      <Choice
        label={t`Account`}
        value={value.account}
        options={[{ value: '', label: t`All accounts` }, ...accounts.map(({ id, label }) => ({ value: id, label }))]}
        onChange={(account) => onChange({ ...value, account })}
      />
    </>
  )
}
