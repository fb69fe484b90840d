import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useChange, usePlatforms } from '../../client/queries.ts'
import { sessionApi, type AccountAccess } from '../../client/session-api.ts'
import { Dialog } from '../../parts/dialogs.tsx'
import { Loading } from '../../parts/shown.tsx'
import { ConnectForm } from './connect-form.tsx'

/** Takes new credentials for an account whose owner cannot consent in a browser. */
export function ReconnectForm({ account, onClose }: { readonly account: AccountAccess; readonly onClose: () => void }) {
  const { id, label } = account
  const platform = usePlatforms().data?.find(({ key }) => key === account.platform)
  const connect = useChange({
    change: sessionApi.connect,
    touches: ['account'],
    done: t`${label} is connected.`,
    onDone: onClose,
    showsProblem: true,
  })
  return (
    <Dialog title={t`Reconnect ${label}`} isOpen onClose={onClose}>
      {platform ? (
        <>
          {platform.browserHint && (
            <p className="hint">
              <Trans>To reconnect in one click: {{ hint: platform.browserHint }}</Trans>
            </p>
          )}
          <ConnectForm
            platform={platform}
            accountId={id}
            fields={platform.credentialFields}
            action={t`Check and reconnect`}
            isPending={connect.isPending}
            error={connect.error}
            onSubmit={connect.mutate}
          />
        </>
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}
