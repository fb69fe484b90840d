import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { VideoBody } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice, Field, Switch } from '../../parts/fields.tsx'
import { Problem } from '../../parts/shown.tsx'

type Ratio = NonNullable<VideoBody['aspectRatio']>

const RATIOS: readonly { readonly value: Ratio; readonly label: string }[] = [
  { value: '9:16', label: t`9:16, upright` },
  { value: '1:1', label: t`1:1, square` },
  { value: '16:9', label: t`16:9, wide` },
]

export function MakeVideo({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [prompt, setPrompt] = useState('')
  const [scenes, setScenes] = useState<readonly string[]>([])
  const [aspectRatio, setRatio] = useState<Ratio>('9:16')
  const [aiVoiceover, setVoiceover] = useState(false)
  const [attempt, setAttempt] = useState(attemptName)
  const make = useChange({
    change: (body: VideoBody) => answered(api.POST('/videos', { body, params: named(attempt) })),
    touches: ['video', 'credits'],
    done: ({ creditsRemaining }) =>
      plural(creditsRemaining, {
        one: 'The video is being made. # credit is left.',
        other: 'The video is being made. # credits are left.',
      }),
    onDone: () => {
      setAttempt(attemptName())
      setPrompt('')
      setScenes([])
      onClose()
    },
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate({
      prompt,
      aspectRatio,
      aiVoiceover,
      ...(scenes.length > 0 && {
        scenes: scenes.map((aiPrompt) => ({ mediaSource: 'ai', ...(aiPrompt && { aiPrompt }) })),
      }),
    })
  }
  return (
    <Dialog title={t`Make a video`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {make.error && <Problem error={make.error} />}
        <Field label={t`Prompt`} rows={3} value={prompt} onChange={setPrompt} isRequired autoFocus />
        {scenes.map((scene, index) => (
          <Field
            key={index}
            label={t`Scene ${{ number: index + 1 }}`}
            value={scene}
            onChange={(text) => setScenes(scenes.with(index, text))}
            placeholder={t`Same as above`}
          />
        ))}
        <Actions>
          <Button small onPress={() => setScenes([...scenes, ''])}>
            <Trans>Add scene</Trans>
          </Button>
          {scenes.length > 0 && (
            <Button small onPress={() => setScenes(scenes.slice(0, -1))}>
              <Trans>Remove last scene</Trans>
            </Button>
          )}
        </Actions>
        <Choice label={t`Format`} value={aspectRatio} options={RATIOS} onChange={(value) => setRatio(value as Ratio)} />
        <Switch isSelected={aiVoiceover} onChange={setVoiceover}>
          <Trans>Add voiceover</Trans>
        </Switch>
        <p className="hint">
          <Trans>A scene costs one credit, and so does a voiceover, unless your settings say otherwise.</Trans>
        </p>
        <Actions>
          <Button look="main" type="submit" isPending={make.isPending}>
            <Trans>Make video</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
