import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answered, api } from '../../../client/client.ts'
import { pageAfter, useChange, useList, useSession } from '../../../client/queries.ts'
import { teamApi } from '../../../client/team-api.ts'
import { sessionApi } from '../../../client/session-api.ts'
import type { ActivityEntry, ActivityKind } from '../../../client/types.ts'
import { nameOfActor } from '../../../parts/actor.ts'
import { Button } from '../../../parts/buttons.tsx'
import { Choice, Field } from '../../../parts/fields.tsx'
import { ItemList } from '../../../parts/list.tsx'
import { Card, Empty, Moment, Status } from '../../../parts/shown.tsx'
import { addDays, startOf, withOwnTimes } from '../../../parts/time.ts'
import { useUrlState } from '../../../parts/url-state.ts'
import { saveCsv } from './save-csv.ts'

/** By kind, its name and the permission without which it is not shown. */
const KINDS: Readonly<Record<ActivityKind, readonly [name: string, needs: string]>> = {
  posts: [t`Posts`, 'posts:read'],
  media: [t`Media`, 'posts:read'],
  comments: [t`Comments`, 'comments:read'],
  replies: [t`Replies`, 'comments:read'],
  feeds: [t`Feeds`, 'rss:read'],
  recycling: [t`Recycling`, 'recycling:read'],
  videos: [t`Videos`, 'videos:read'],
  credits: [t`Credits`, 'credits:read'],
  analytics: [t`Analytics`, 'analytics:read'],
  accounts: [t`Accounts`, 'accounts:read'],
  settings: [t`Settings`, 'posts:read'],
  webhooks: [t`Webhooks`, 'webhooks:read'],
  notifications: [t`Notifications`, 'webhooks:read'],
  team: [t`Team`, 'erasures:read'],
  keys: [t`API keys`, 'erasures:read'],
  privacy: [t`Privacy`, 'erasures:read'],
}

const EVERYBODY = [
  { value: 'people', label: t`People, keys and agents` },
  { value: 'agent', label: t`Agents` },
  { value: 'rule', label: t`Rules` },
  { value: 'all', label: t`People, keys, agents and rules` },
]

/** Who did what, with filters. */
export function Activity() {
  const [who, setWho] = useUrlState<string>('who', 'people')
  const [what, setWhat] = useUrlState<ActivityKind | ''>('what', '')
  const [from, setFrom] = useUrlState<string>('from', '')
  const [to, setTo] = useUrlState<string>('to', '')
  const query = {
    ...(who !== 'all' && { actor: who }),
    ...(what && { kind: [what] }),
    ...(from && { from: startOf(from).toISOString() }),
    ...(to && { to: new Date(startOf(addDays(to, 1)).getTime() - 1).toISOString() }),
  }
  const entries = useList(['activity', query], (cursor) =>
    answered(api.GET('/activity', { params: { query: { ...pageAfter(cursor), ...query } } })),
  )
  const save = useChange({ change: () => saveCsv(query), touches: [] })
  return (
    <>
      <div className="filters">
        <Choice label={t`Who`} value={who} options={useActors()} onChange={setWho} />
        <Choice
          label={t`What`}
          value={what}
          options={useKinds()}
          onChange={(value) => setWhat(value as ActivityKind | '')}
        />
        <Field label={t`From`} type="date" value={from} max={to} onChange={setFrom} />
        <Field label={t`To`} type="date" value={to} min={from} onChange={setTo} />
        <Button isPending={save.isPending} onPress={() => save.mutate(undefined)}>
          <Trans>Download CSV</Trans>
        </Button>
      </div>
      <Card>
        <ItemList
          query={entries}
          items={(page) => page.activity}
          empty={
            <Empty title={t`Nothing found`}>
              <Trans>Choose other filters to see more.</Trans>
            </Empty>
          }
        >
          {(entry) => <Entry key={entry.id} of={entry} />}
        </ItemList>
      </Card>
    </>
  )
}

function Entry({ of: { at, by, kind, summary, subject } }: { readonly of: ActivityEntry }) {
  const { name, link } = subject
  const text = withOwnTimes(name === null || summary.includes(name) ? summary : `${name}: ${summary}`)
  return (
    <li>
      <div className="item-body">
        {link === null ? <p>{text}</p> : <Link to={link}>{text}</Link>}
        <p className="hint">
          <Trans>
            <Moment at={at} /> by {{ actor: nameOfActor(by) }}
          </Trans>
        </p>
      </div>
      <Status of={KINDS[kind][0]} />
    </li>
  )
}

function useActors() {
  const mayReadKeys = useSession().permissions.includes('keys:read')
  const { data: users = [] } = useQuery({ queryKey: ['user'], queryFn: teamApi.users })
  const { data: keys = [] } = useQuery({
    queryKey: ['key', 'actors'],
    queryFn: async () => (await sessionApi.keys(undefined)).keys,
    enabled: mayReadKeys,
  })
  return [
    ...EVERYBODY,
    ...users.map(({ id, name }) => ({ value: id, label: name })),
    ...keys.map(({ id, label }) => ({ value: id, label: t`Key ${{ name: label || id }}` })),
  ]
}

function useKinds() {
  const { permissions } = useSession()
  const shown = Object.entries(KINDS).filter(([, [, needs]]) => permissions.includes(needs))
  return [{ value: '', label: t`Everything` }, ...shown.map(([value, [label]]) => ({ value, label }))]
}
