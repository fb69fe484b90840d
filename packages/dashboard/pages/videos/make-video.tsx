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
  { value: '9:16', label: '9:16, upright' },
  { value: '1:1', label: '1:1, square' },
  { value: '16:9', label: '16:9, wide' },
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
    done: ({ creditsRemaining }) => `The video is being made. ${creditsRemaining} credits are left.`,
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
    <Dialog title="Make a video" isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {make.error && <Problem error={make.error} />}
        <Field label="Prompt" rows={3} value={prompt} onChange={setPrompt} isRequired autoFocus />
        {scenes.map((scene, index) => (
          <Field
            key={index}
            label={`Scene ${index + 1}`}
            value={scene}
            onChange={(text) => setScenes(scenes.with(index, text))}
            placeholder="Same as above"
          />
        ))}
        <Actions>
          <Button small onPress={() => setScenes([...scenes, ''])}>
            Add scene
          </Button>
          {scenes.length > 0 && (
            <Button small onPress={() => setScenes(scenes.slice(0, -1))}>
              Remove last scene
            </Button>
          )}
        </Actions>
        <Choice label="Format" value={aspectRatio} options={RATIOS} onChange={(value) => setRatio(value as Ratio)} />
        <Switch isSelected={aiVoiceover} onChange={setVoiceover}>
          Add voiceover
        </Switch>
        <p className="hint">A scene costs one credit, and so does a voiceover, unless your settings say otherwise.</p>
        <Actions>
          <Button look="main" type="submit" isPending={make.isPending}>
            Make video
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
