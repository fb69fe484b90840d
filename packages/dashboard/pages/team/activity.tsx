import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useChange, useList, useSession } from '../../client/queries.ts'
import { teamApi } from '../../client/team-api.ts'
import { sessionApi } from '../../client/session-api.ts'
import type { ActivityEntry, ActivityKind } from '../../client/types.ts'
import { nameOfActor } from '../../parts/actor.ts'
import { Button } from '../../parts/buttons.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { ItemList } from '../../parts/list.tsx'
import { Card, Empty, Moment, Status } from '../../parts/shown.tsx'
import { addDays, startOf, withOwnTimes } from '../../parts/time.ts'
import { useUrlState } from '../../parts/url-state.ts'
import { saveCsv } from './save-csv.ts'

/** By kind, its name and the permission without which it is not shown. */
const KINDS: Readonly<Record<ActivityKind, readonly [name: string, needs: string]>> = {
  posts: ['Posts', 'posts:read'],
  media: ['Media', 'posts:read'],
  comments: ['Comments', 'comments:read'],
  replies: ['Replies', 'comments:read'],
  feeds: ['Feeds', 'rss:read'],
  recycling: ['Recycling', 'recycling:read'],
  videos: ['Videos', 'videos:read'],
  credits: ['Credits', 'credits:read'],
  analytics: ['Analytics', 'analytics:read'],
  accounts: ['Accounts', 'accounts:read'],
  settings: ['Settings', 'posts:read'],
  webhooks: ['Webhooks', 'webhooks:read'],
  notifications: ['Notifications', 'webhooks:read'],
  team: ['Team', 'erasures:read'],
  keys: ['API keys', 'erasures:read'],
  privacy: ['Privacy', 'erasures:read'],
}

const EVERYBODY = [
  { value: 'people', label: 'People, keys and agents' },
  { value: 'agent', label: 'Agents' },
  { value: 'rule', label: 'Rules' },
  { value: 'all', label: 'People, keys, agents and rules' },
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
        <Choice label="Who" value={who} options={useActors()} onChange={setWho} />
        <Choice
          label="What"
          value={what}
          options={useKinds()}
          onChange={(value) => setWhat(value as ActivityKind | '')}
        />
        <Field label="From" type="date" value={from} max={to} onChange={setFrom} />
        <Field label="To" type="date" value={to} min={from} onChange={setTo} />
        <Button isPending={save.isPending} onPress={() => save.mutate(undefined)}>
          Download CSV
        </Button>
      </div>
      <Card>
        <ItemList
          query={entries}
          items={(page) => page.activity}
          empty={<Empty title="Nothing found">Choose other filters to see more.</Empty>}
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
          <Moment at={at} /> by {nameOfActor(by)}
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
    ...keys.map(({ id, label }) => ({ value: id, label: `Key ${label || id}` })),
  ]
}

function useKinds() {
  const { permissions } = useSession()
  const shown = Object.entries(KINDS).filter(([, [, needs]]) => permissions.includes(needs))
  return [{ value: '', label: 'Everything' }, ...shown.map(([value, [label]]) => ({ value, label }))]
}
