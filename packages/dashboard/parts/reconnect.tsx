import { t } from '@lingui/core/macro'
import { useChange } from '../client/queries.ts'
import { sessionApi, type AccountAccess } from '../client/session-api.ts'
import { Button, ButtonLink } from './buttons.tsx'

/** Leads the owner of an account to the platform's consent at once, or, where there is none, to the form for credentials. */
export function Reconnect(props: {
  readonly account: Pick<AccountAccess, 'id' | 'label' | 'canConsent'>
  /** Default: to connect it again. */
  readonly action?: 'reconnect' | 'grant'
}) {
  const { account, action: kind = 'reconnect' } = props
  const { id, label, canConsent } = account
  const consent = useChange({
    change: () => sessionApi.authorizeAgain(id),
    touches: [],
    onDone: ({ url }) => window.location.assign(url),
  })
  const [action, name] =
    kind === 'reconnect'
      ? [t`Reconnect`, t`Reconnect ${label}`]
      : [t`Grant permissions`, t`Grant permissions for ${label}`]
  if (!canConsent) {
    return (
      <ButtonLink small look="main" to={`/accounts?reconnect=${id}`} aria-label={name}>
        {action}
      </ButtonLink>
    )
  }
  return (
    // Stays pending until the browser has left the page.
    <Button
      small
      look="main"
      aria-label={name}
      isPending={consent.isPending || consent.isSuccess}
      onPress={() => consent.mutate(undefined)}
    >
      {action}
    </Button>
  )
}
