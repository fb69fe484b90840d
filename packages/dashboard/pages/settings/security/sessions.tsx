import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../../client/queries.ts'
import { securityApi, type OwnSession } from '../../../client/security-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Loading, Moment, Problem, Status } from '../../../parts/shown.tsx'

/** Where the user is signed in. */
export function Sessions() {
  const sessions = useQuery({
    queryKey: ['session', 'list'],
    queryFn: async () => (await securityApi.sessions()).sessions,
  })
  const endOthers = useChange({
    change: securityApi.endOtherSessions,
    touches: ['session'],
    done: t`You have been signed out everywhere else.`,
  })
  return (
    <>
      {sessions.error && <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Loading />}
      <ul className="items">
        {sessions.data?.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
      {sessions.data?.some(({ current }) => !current) && (
        <Actions>
          <Button isPending={endOthers.isPending} onPress={() => endOthers.mutate(undefined)}>
            <Trans>Sign out everywhere else</Trans>
          </Button>
        </Actions>
      )}
    </>
  )
}

function SessionItem({ session }: { readonly session: OwnSession }) {
  const { id, browser, createdAt, usedAt, expiresAt, current } = session
  const name = browser ?? t`Unknown browser`
  const end = useChange({
    change: () => securityApi.endSession(id),
    touches: ['session'],
    done: t`${name} is signed out.`,
  })
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{name}</strong>
          {current && <Status of={t`This browser`} />}
        </div>
        <p className="hint">
          {usedAt && !current ? (
            <Trans>
              Signed in <Moment at={createdAt} />, last used <Moment at={usedAt} short />, expires{' '}
              <Moment at={expiresAt} />
            </Trans>
          ) : (
            <Trans>
              Signed in <Moment at={createdAt} />, expires <Moment at={expiresAt} />
            </Trans>
          )}
        </p>
      </div>
      {!current && (
        <Button small aria-label={t`Sign out ${name}`} isPending={end.isPending} onPress={() => end.mutate(undefined)}>
          <Trans>Sign out</Trans>
        </Button>
      )}
    </li>
  )
}
