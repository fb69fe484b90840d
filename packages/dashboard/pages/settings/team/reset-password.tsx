import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useChange } from '../../../client/queries.ts'
import { securityApi } from '../../../client/security-api.ts'
import type { User } from '../../../client/types.ts'
import { Button } from '../../../parts/buttons.tsx'
import { Secret } from '../../../parts/secret.tsx'

/** Makes a link with which another user chooses a new password. */
export function ResetPassword({ user: { id, name } }: { readonly user: User }) {
  const [link, setLink] = useState<string>()
  const create = useChange({
    change: () => securityApi.createResetLink(id),
    touches: ['user'],
    onDone: (created) => setLink(created.link),
  })
  return (
    <>
      <Button
        small
        aria-label={t`Reset the password of ${name}`}
        isPending={create.isPending}
        onPress={() => create.mutate(undefined)}
      >
        <Trans>Reset password</Trans>
      </Button>
      <Secret
        title={t`Reset link`}
        secret={link}
        hint={t`Send this link to ${name}, and to nobody else: it sets a new password, once, within 24 hours. Copy it now: it is not shown again.`}
        onClose={() => setLink(undefined)}
      />
    </>
  )
}
