import { Actions, Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import type { Draft } from './draft.ts'

const MOST_PARTS = 25

/** The parts of a chain from the second on: each is a reply to the one before. */
export function LaterParts({
  parts,
  onChange,
}: {
  readonly parts: Draft['parts']
  readonly onChange: (parts: Draft['parts']) => void
}) {
  return (
    <>
      {parts.map((part, index) => (
        <div key={index} className="stack">
          <Field
            label={`Part ${index + 2}`}
            rows={3}
            value={part.text ?? ''}
            onChange={(text) => onChange(parts.with(index, { ...part, text }))}
            hint={part.media && `With ${part.media.length === 1 ? 'an item' : `${part.media.length} items`} of media.`}
            autoFocus={part.text === ''}
          />
          <Actions>
            <Button small onPress={() => onChange(parts.toSpliced(index, 1))}>
              Remove part {index + 2}
            </Button>
          </Actions>
        </div>
      ))}
      {parts.length + 1 < MOST_PARTS && (
        <Actions>
          <Button small onPress={() => onChange([...parts, { text: '' }])}>
            Continue in a reply
          </Button>
        </Actions>
      )}
    </>
  )
}
