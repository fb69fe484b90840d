import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useChange, usePlatforms } from '../../client/queries.ts'
import { sessionApi, type Platform } from '../../client/session-api.ts'
import { Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice } from '../../parts/fields.tsx'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { Loading, Problem } from '../../parts/shown.tsx'
import { ConnectForm } from './connect-form.tsx'

/** Connects an account: by its owner's consent on the platform, where that is set up, or by credentials. */
export function Connect({ onClose }: { readonly onClose: () => void }) {
  const platforms = usePlatforms()
  const [chosen, setChosen] = useState<Platform>()
  return (
    <Dialog title={chosen ? t`Connect ${{ platform: chosen.name }}` : t`Connect an account`} isOpen onClose={onClose}>
      {platforms.isPending && <Loading />}
      {platforms.error && <Problem error={platforms.error} onRetry={() => void platforms.refetch()} />}
      {chosen ? (
        <>
          <Ways platform={chosen} onDone={onClose} />
          <Button small look="quiet" onPress={() => setChosen(undefined)}>
            <Trans>‹ All networks</Trans>
          </Button>
        </>
      ) : (
        <ul className="networks">
          {platforms.data?.map((platform) => (
            <li key={platform.key}>
              <Button onPress={() => setChosen(platform)}>
                <PlatformIcon of={platform.key} isNamed />
                {platform.name}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Ways({ platform, onDone }: { readonly platform: Platform; readonly onDone: () => void }) {
  const { name, browser, browserHint } = platform
  const byToken = <Credentials platform={platform} onDone={onDone} />
  if (!browser && !browserHint) return byToken
  return (
    <>
      {browser && <Consent platform={platform} />}
      {browserHint && (
        <p className="hint">
          <Trans>
            To sign in on {name}: {browserHint}
          </Trans>
        </p>
      )}
      <details>
        <summary>
          <Trans>Connect with a token</Trans>
        </summary>
        <div className="indented">{byToken}</div>
      </details>
    </>
  )
}

function Consent({ platform }: { readonly platform: Platform }) {
  const { logins } = platform
  const [login, setLogin] = useState(logins[0]?.key)
  const consent = useChange({
    change: sessionApi.authorize,
    touches: [],
    onDone: ({ url }) => window.location.assign(url),
    showsProblem: true,
  })
  return (
    <>
      {login !== undefined && logins.length > 1 && (
        <Choice
          label={t`What to connect`}
          value={login}
          options={logins.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={setLogin}
        />
      )}
      <ConnectForm
        platform={platform}
        fields={platform.credentialFields.filter((field) => field.beforehand)}
        action={t`Continue to ${{ platform: platform.name }}`}
        // Stays pending until the browser has left the page.
        isPending={consent.isPending || consent.isSuccess}
        error={consent.error}
        onSubmit={(account) => consent.mutate({ ...account, ...(login !== undefined && { login }) })}
      >
        <p className="hint">
          <Trans>You choose what to allow, sign in there, and return here.</Trans>
        </p>
      </ConnectForm>
    </>
  )
}

function Credentials({ platform, onDone }: { readonly platform: Platform; readonly onDone: () => void }) {
  const connect = useChange({
    change: sessionApi.connect,
    touches: ['account'],
    done: ({ label }) => t`${label} is connected.`,
    onDone,
    showsProblem: true,
  })
  return (
    <ConnectForm
      platform={platform}
      fields={platform.credentialFields}
      action={t`Check and connect`}
      isPending={connect.isPending}
      error={connect.error}
      onSubmit={connect.mutate}
    />
  )
}
