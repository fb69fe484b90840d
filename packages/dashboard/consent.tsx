import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent, type ReactNode } from 'react'
import { CheckboxGroup, Form, Label } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { consentApi, type Allowed, type AppRequest } from './client/consent-api.ts'
import type { Budgets } from './client/session-api.ts'
import { BudgetFields, budgetsIn } from './pages/settings/keys/budget-fields.tsx'
import { SCOPES } from './pages/settings/keys/create-key.tsx'
import { Actions, Button } from './parts/buttons.tsx'
import { Checkbox, Choice, Segments } from './parts/fields.tsx'
import { LinkPage } from './parts/link-page.tsx'
import { Problem } from './parts/shown.tsx'
import { UndoChoice } from './parts/undo-choice.tsx'

type Level = 'read' | 'propose' | 'all' | 'choose'

/** The page on which somebody decides whether an app may act in their workspace. */
export function Consent({ id }: { readonly id: string }) {
  return (
    <LinkPage
      title={t`Connect an app`}
      titleOf={({ client: { name } }) => t`Connect ${name}`}
      queryKey={['key', 'consent', id]}
      look={() => consentApi.request(id)}
      isSignedIn
      isWide
    >
      {(request) => <Decision id={id} request={request} />}
    </LinkPage>
  )
}

function Decision({ id, request }: { readonly id: string; readonly request: AppRequest }) {
  const { client, workspaces } = request
  const { name } = client
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? '')
  const [isDone, setDone] = useState(false)
  const goOn = ({ to }: { readonly to: string }) => {
    setDone(true)
    location.assign(to)
  }
  const deny = useChange({ change: () => consentApi.deny(id), touches: [], onDone: goOn, showsProblem: true })
  const allow = useChange({
    change: (allowed: Omit<Allowed, 'workspaceId'>) => consentApi.allow(id, { workspaceId, ...allowed }),
    touches: [],
    onDone: goOn,
    showsProblem: true,
  })
  const workspace = workspaces.find((one) => one.id === workspaceId)
  const cancel = (
    <Button isPending={deny.isPending} onPress={() => deny.mutate(undefined)}>
      <Trans>Cancel</Trans>
    </Button>
  )
  if (isDone) {
    return (
      <>
        <h1>
          <Trans>Back to {name}</Trans>
        </h1>
        <p role="status">
          <Trans>Your answer is on its way. You can close this page if it stays open.</Trans>
        </p>
      </>
    )
  }
  return (
    <>
      <h1>
        <Trans>Let {name} use Fanfare?</Trans>
      </h1>
      <WhoAsks client={client} />
      {(deny.error ?? allow.error) && <Problem error={deny.error ?? allow.error ?? new Error()} />}
      {workspaces.length > 1 && (
        <Choice
          label={t`Workspace`}
          value={workspaceId}
          options={workspaces.map(({ id: value, name: label }) => ({ value, label }))}
          onChange={setWorkspaceId}
        />
      )}
      {workspace ? (
        <Allowing
          key={workspace.id}
          name={workspace.name}
          offered={Object.keys(SCOPES).filter((scope) =>
            [request.scopes, workspace.scopes].every((scopes) => scopes.includes(scope)),
          )}
          isPending={allow.isPending}
          onAllow={allow.mutate}
        >
          {cancel}
        </Allowing>
      ) : (
        <>
          <p role="status">
            <Trans>Your role does not let you connect apps. Ask an owner or a manager of your workspace.</Trans>
          </p>
          <Actions>{cancel}</Actions>
        </>
      )}
    </>
  )
}

function WhoAsks({ client: { name, host, site } }: Pick<AppRequest, 'client'>) {
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host)
  return (
    <div className="stack">
      <p>
        {site === null ? (
          <Trans>
            It calls itself {name}, which nobody has checked. Go on only if you have just connected it yourself.
          </Trans>
        ) : (
          <Trans>
            It is described at <strong>{site}</strong>.
          </Trans>
        )}
      </p>
      <p className="muted">
        {isHere ? (
          <Trans>
            The answer goes to <strong>{host}</strong>, a program on this computer.
          </Trans>
        ) : (
          <Trans>
            The answer goes to <strong>{host}</strong>.
          </Trans>
        )}
      </p>
    </div>
  )
}

function Allowing(props: {
  readonly name: string
  readonly offered: readonly string[]
  readonly isPending: boolean
  readonly onAllow: (allowed: Omit<Allowed, 'workspaceId'>) => void
  readonly children: ReactNode
}) {
  const { name, offered, isPending, onAllow, children } = props
  const levels = levelsOf(offered)
  const [level, setLevel] = useState<Level>(levels.some(({ value }) => value === 'propose') ? 'propose' : 'read')
  const [chosen, setChosen] = useState(scopesOf(level, offered))
  const [undoSeconds, setUndo] = useState<number | null>(null)
  const scopes = level === 'choose' ? chosen : scopesOf(level, offered)
  const publishes = scopes.includes('posts:write')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const budgets: Budgets = budgetsIn(new FormData(event.currentTarget))
    onAllow({ scopes, budgets, ...(publishes && undoSeconds !== null && { undoSeconds }) })
  }
  const take = (next: Level) => {
    // What can be chosen begins with what was shown.
    if (next === 'choose') setChosen(scopes)
    setLevel(next)
  }
  return (
    <Form onSubmit={submit}>
      <div className="stack">
        <h2>
          <Trans>In {name}, it can</Trans>
        </h2>
        <Segments label={t`What it can do`} value={level} options={levels} onChange={take} />
        {level === 'choose' ? (
          <CheckboxGroup className="picker" value={[...chosen]} onChange={setChosen}>
            <Label className="visually-hidden">
              <Trans>Scopes</Trans>
            </Label>
            <div className="picker-list">
              {offered.map((scope) => (
                <Checkbox key={scope} value={scope}>
                  <span className="code">{scope}</span> <span className="hint">{SCOPES[scope]}</span>
                </Checkbox>
              ))}
            </div>
          </CheckboxGroup>
        ) : (
          <ul className="picker-list allowed" aria-label={t`What it can do, in detail`}>
            {scopes.map((scope) => (
              <li key={scope}>{level === 'propose' && scope === 'comments:write' ? REVIEWED : SCOPES[scope]}</li>
            ))}
          </ul>
        )}
      </div>
      <BudgetFields scopes={scopes} budgets={{}} />
      {publishes && <UndoChoice value={undoSeconds} onChange={setUndo} inWorkspace />}
      <p className="hint">
        <Trans>
          It acts for you, and never beyond your role, until you revoke it under Settings, API keys. All it does is in
          the activity.
        </Trans>
      </p>
      <Actions>
        <Button look="main" type="submit" isPending={isPending} isDisabled={scopes.length === 0}>
          <Trans>Allow</Trans>
        </Button>
        {children}
      </Actions>
    </Form>
  )
}

/** What `comments:write` is for those who only propose. */
const REVIEWED = t`write replies for a person to review`
const isRead = (scope: string) => scope.endsWith(':read')
/** What waits for a person before others see it. */
const PROPOSES = ['posts:propose', 'approvals:write', 'comments:write']

function scopesOf(level: Level, offered: readonly string[]): string[] {
  if (level === 'read') return offered.filter(isRead)
  if (level === 'propose') return offered.filter((scope) => isRead(scope) || PROPOSES.includes(scope))
  // Who can publish need not propose.
  return offered.filter((scope) => scope !== 'posts:propose' || !offered.includes('posts:write'))
}

function levelsOf(offered: readonly string[]): readonly { readonly value: Level; readonly label: string }[] {
  const more = offered.includes('posts:write') ? t`Publish` : t`Do all it asks for`
  return [
    { value: 'read', label: t`Read` },
    ...(offered.includes('posts:propose') ? [{ value: 'propose', label: t`Propose` } as const] : []),
    ...(offered.every(isRead) ? [] : [{ value: 'all', label: more } as const]),
    { value: 'choose', label: t`Choose` },
  ]
}
