import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../client/queries.ts'
import { teamApi } from '../../client/team-api.ts'
import { Choice } from '../../parts/fields.tsx'

/** Everybody, oneself, or another user. One from a link can be a key, too. */
export function AuthorFilter({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const { user } = useSession()
  const { data: users = [] } = useQuery({ queryKey: ['user'], queryFn: teamApi.users })
  const others = users.filter(({ id }) => id !== user.id).map(({ id, name }) => ({ value: id, label: name }))
  const options = [{ value: '', label: t`Everybody` }, { value: 'me', label: t`Me` }, ...others]
  const isKnown = options.some((option) => option.value === value)
  return (
    <Choice
      label={t`Author`}
      value={value}
      options={isKnown ? options : [...options, { value, label: value }]}
      onChange={onChange}
    />
  )
}
