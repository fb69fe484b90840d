import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Detail } from '../../client/api-error.ts'
import type { Preview } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import type { Draft } from './draft.ts'
import { FieldProblems } from './field-problems.tsx'
import { TextLength } from './text-length.tsx'

const MOST_PARTS = 25

/** The parts of a chain from the second on: each is a reply to the one before. */
export function LaterParts({
  parts,
  previews,
  problems,
  onChange,
}: {
  readonly parts: Draft['parts']
  readonly previews: readonly Preview[]
  readonly problems: readonly Detail[]
  readonly onChange: (parts: Draft['parts']) => void
}) {
  // All accounts of a network count alike.
  const counted = [...new Map(previews.map((preview) => [preview.platform, preview])).values()]
  return (
    <>
      {parts.map((part, index) => (
        <div key={index} className="stack">
          <Field
            label={t`Part ${index + 2}`}
            rows={3}
            value={part.text ?? ''}
            onChange={(text) => onChange(parts.with(index, { ...part, text }))}
            hint={
              part.media &&
              plural(part.media.length, { one: 'With an item of media.', other: 'With # items of media.' })
            }
            autoFocus={part.text === ''}
          />
          <ul className="counters">
            {counted.map(({ platform, parts = [] }) => (
              <li key={platform}>
                <TextLength platform={platform} of={parts[index]?.textLength} />
              </li>
            ))}
          </ul>
          <FieldProblems of={problems} at={new RegExp(`^parts\\[${index + 1}\\]`)} />
          <Actions>
            <Button small onPress={() => onChange(parts.toSpliced(index, 1))}>
              {t`Remove part ${index + 2}`}
            </Button>
          </Actions>
        </div>
      ))}
      <FieldProblems of={problems} at={/^parts$/} />
      {parts.length + 1 < MOST_PARTS && (
        <Actions>
          <Button small onPress={() => onChange([...parts, { text: '' }])}>
            <Trans>Continue in a reply</Trans>
          </Button>
        </Actions>
      )}
    </>
  )
}
