import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange, useSession, useVoice } from '../../client/queries.ts'
import { sessionApi } from '../../client/session-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import { Page } from '../../parts/page.tsx'
import { Card, Loading, Problem } from '../../parts/shown.tsx'

const MOST_CHARS = 2_000

export default function BrandVoice() {
  return (
    <Page
      title={t`Brand voice`}
      intro={t`How this workspace writes. AI drafts of replies and captions follow it, and agents read it.`}
    >
      <Card>
        <Voice />
      </Card>
    </Page>
  )
}

function Voice() {
  const voice = useVoice()
  const mayChange = useSession().permissions.includes('users:write')
  if (voice.isPending) return <Loading lines={2} />
  if (voice.error) return <Problem error={voice.error} onRetry={() => void voice.refetch()} />
  const { text } = voice.data
  if (!mayChange) return <p>{text === '' ? t`Nobody has described it.` : text}</p>
  return <Change key={text} saved={text} />
}

function Change({ saved }: { readonly saved: string }) {
  const [text, setText] = useState(saved)
  const save = useChange({
    change: (next: string) => sessionApi.setVoice({ text: next }),
    touches: ['voice'],
    done: t`Saved.`,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(text)
  }
  return (
    <Form onSubmit={submit} className="stack">
      <Field
        label={t`How you write`}
        hint={t`For example: short sentences, no exclamation marks, we say “you”.`}
        rows={6}
        maxLength={MOST_CHARS}
        value={text}
        onChange={setText}
      />
      <Actions>
        <Button type="submit" isPending={save.isPending} isDisabled={text === saved}>
          <Trans>Save</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
