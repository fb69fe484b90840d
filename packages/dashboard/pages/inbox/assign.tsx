import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { useChange, useSession } from '../../client/queries.ts'
import { teamApi } from '../../client/team-api.ts'
import type { Comment, ReplyBody } from '../../client/types.ts'
import { Button } from '../../parts/buttons.tsx'
import { Choice, type Option } from '../../parts/fields.tsx'
import { mayReply } from '../../parts/roles.ts'
import { inParts } from './in-parts.ts'

const NOBODY = 'none'
const ME = t({ message: 'Me', context: 'assigned to' })
const nobody: Option = { value: NOBODY, label: t({ message: 'Nobody', context: 'assigned to' }) }

/** Those to whom a comment can be assigned, oneself first. */
function useAssignees(): readonly Option[] {
  const { user } = useSession()
  const { data: users = [] } = useQuery({ queryKey: ['user'], queryFn: teamApi.users })
  const able = users.filter(({ role }) => mayReply(role))
  const options = able.map(({ id, name }) => ({ value: id, label: id === user.id ? ME : name }))
  return options.toSorted((a, b) => Number(b.value === user.id) - Number(a.value === user.id))
}

interface Assigning {
  readonly comments: readonly Comment[]
  /** A user's id, or nobody. */
  readonly to: string
}

function useAssign() {
  return useChange({
    change: async ({ comments, to }: Assigning) => {
      const assigneeId = to === NOBODY ? null : to
      const assigned = await inParts(comments, ({ platform, accountId, id: commentId }) => {
        const body = { platform: platform as ReplyBody['platform'], accountId, commentId, assigneeId }
        return answered(api.POST('/comments/assign', { body }))
      })
      return assigned[0]?.assignee?.name
    },
    touches: ['comment'],
    done: (name, { comments: { length } }) =>
      name === undefined
        ? plural(length, { one: 'Assigned to nobody.', other: '# comments assigned to nobody.' })
        : plural(length, { one: `Assigned to ${name}.`, other: `# comments assigned to ${name}.` }),
  })
}

/** Whose comments are listed: `''` for everybody's. */
export function AssigneeFilter({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const { user } = useSession()
  const others = useAssignees().filter(({ value: id }) => id !== user.id)
  const everybody = { value: '', label: t({ message: 'Anybody', context: 'assigned to' }) }
  const options = [everybody, { value: 'me', label: ME }, nobody, ...others]
  const isKnown = options.some((option) => option.value === value)
  return (
    <Choice
      label={t`Assigned to`}
      value={value}
      options={isKnown ? options : [...options, { value, label: value }]}
      onChange={onChange}
    />
  )
}

/** To whom a comment is assigned, which can be changed. */
export function AssigneeOf({ comment, mayWrite }: { readonly comment: Comment; readonly mayWrite: boolean }) {
  const { user } = useSession()
  const assign = useAssign()
  const assignees = useAssignees()
  const { assignee } = comment
  if (!mayWrite)
    return assignee ? (
      <p className="hint">
        <Trans>Assigned to {assignee.name}</Trans>
      </p>
    ) : null
  const isMine = assignee?.id === user.id
  // Until the users are loaded.
  const isKnown = !assignee || assignees.some(({ value }) => value === assignee.id)
  const options = isKnown ? assignees : [{ value: assignee.id, label: assignee.name }, ...assignees]
  const to = (id: string) => assign.mutate({ comments: [comment], to: id })
  return (
    <div className="assigned-to">
      <Choice label={t`Assigned to`} value={assignee?.id ?? NOBODY} options={[nobody, ...options]} onChange={to} />
      <Button data-key="i" small isPending={assign.isPending} onPress={() => to(isMine ? NOBODY : user.id)}>
        {isMine ? t`Unassign` : t`Assign to me`}
      </Button>
    </div>
  )
}

/** Assigns several at once. */
export function AssignSelected({
  comments,
  onDone,
}: {
  readonly comments: readonly Comment[]
  readonly onDone: () => void
}) {
  const assign = useAssign()
  const options = [{ value: '', label: t`Assign to…` }, ...useAssignees(), nobody]
  const run = (to: string) => {
    assign.mutate({ comments, to })
    onDone()
  }
  return <Choice label={t`Assign selected`} isLabelHidden value="" options={options} onChange={run} />
}
