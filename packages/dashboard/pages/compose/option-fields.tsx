import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { OptionSchema } from '../../client/session-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Checkbox, Choice, Field } from '../../parts/fields.tsx'

export type Options = Readonly<Record<string, unknown>>

interface OptionProps {
  readonly label: string
  readonly schema: OptionSchema
  readonly value: unknown
  /** With undefined if it is not set. */
  readonly onChange: (value: unknown) => void
}

/** A text that is longer gets several lines. */
const SHORT_TEXT = 500
const DEFAULT = ''

/** Fields for options, made from their schemas. */
export function OptionFields({
  schemas,
  value,
  onChange,
}: {
  readonly schemas: Readonly<Record<string, OptionSchema>>
  readonly value: Options
  readonly onChange: (value: Options) => void
}) {
  return Object.entries(schemas).map(([name, schema]) => (
    <Option
      key={name}
      label={labelOf(name)}
      schema={schema}
      value={value[name]}
      onChange={(next) => {
        const { [name]: _, ...rest } = value
        onChange(next === undefined ? rest : { ...rest, [name]: next })
      }}
    />
  ))
}

function Option(props: OptionProps) {
  const { label, schema, value, onChange } = props
  const { type } = schema
  const hint = schema.description?.replaceAll('`', '')
  if (type === 'boolean') {
    const values = { true: true, false: false }
    const options = [DEFAULT, 'true', 'false'].map((one) => ({ value: one, label: BOOLEANS[one] ?? one }))
    const set = (chosen: string) => onChange(values[chosen as keyof typeof values])
    return (
      <Choice
        label={label}
        value={value === undefined ? DEFAULT : String(value)}
        {...{ options, hint }}
        onChange={set}
      />
    )
  }
  if (schema.enum) {
    const options = [
      { value: DEFAULT, label: t`Default` },
      ...schema.enum.map((one) => ({ value: one, label: wordsOf(one) })),
    ]
    return (
      <Choice
        label={label}
        value={String(value ?? DEFAULT)}
        {...{ options, hint }}
        onChange={(one) => onChange(one || undefined)}
      />
    )
  }
  if (type === 'object') return <Group {...props} />
  if (type === 'array') return <List {...props} />
  const set = (text: string) => onChange(text === '' ? undefined : isNumber(schema) ? Number(text) : text)
  return <Field label={label} value={String(value ?? '')} {...inputOf(schema)} hint={hint} onChange={set} />
}

const BOOLEANS: Readonly<Record<string, string>> = { [DEFAULT]: t`Default`, true: t`Yes`, false: t`No` }

function isNumber({ type }: OptionSchema): boolean {
  return type === 'number' || type === 'integer'
}

function inputOf(schema: OptionSchema) {
  const { format, maxLength = 0, anyOf = [], minimum, maximum } = schema
  if (isNumber(schema)) return { type: 'number', min: minimum, max: maximum } as const
  if (anyOf.some((one) => one.format === 'date')) return { type: 'datetime-local' } as const
  if (format === 'uri') return { type: 'url' } as const
  return maxLength > SHORT_TEXT ? { rows: 2 } : {}
}

/** Several values that belong together. Not set if all are empty. */
function Group({ label, schema: { properties = {}, description }, value, onChange }: OptionProps) {
  return (
    <fieldset className="stack">
      <legend>{label}</legend>
      {description && <p className="hint">{description}</p>}
      <OptionFields
        schemas={properties}
        value={(value ?? {}) as Options}
        onChange={(next) => onChange(Object.keys(next).length > 0 ? next : undefined)}
      />
    </fieldset>
  )
}

function List({ label, schema: { items = {}, maxItems = Infinity, description }, value, onChange }: OptionProps) {
  const list = (value ?? []) as readonly unknown[]
  const set = (next: readonly unknown[]) => onChange(next.length > 0 ? next : undefined)
  if (items.enum) {
    return (
      <fieldset className="stack">
        <legend>{label}</legend>
        {description && <p className="hint">{description}</p>}
        {items.enum.map((one) => (
          <Checkbox
            key={one}
            isSelected={list.includes(one)}
            onChange={(isSelected) => set(isSelected ? [...list, one] : list.filter((other) => other !== one))}
          >
            {wordsOf(one)}
          </Checkbox>
        ))}
      </fieldset>
    )
  }
  if (items.type === 'object') {
    return (
      <fieldset className="stack">
        <legend>{label}</legend>
        {description && <p className="hint">{description}</p>}
        {list.map((item, index) => (
          <div key={index} className="stack indented">
            <OptionFields
              schemas={items.properties ?? {}}
              value={item as Options}
              onChange={(next) => set(list.map((other, at) => (at === index ? next : other)))}
            />
            <Button small onPress={() => set(list.filter((_, at) => at !== index))}>
              <Trans>Remove</Trans>
            </Button>
          </div>
        ))}
        {list.length < maxItems && (
          <Actions>
            <Button small onPress={() => set([...list, {}])}>
              <Trans>Add</Trans>
            </Button>
          </Actions>
        )}
      </fieldset>
    )
  }
  return (
    <Field
      label={label}
      // What is being typed may end with a comma.
      defaultValue={list.join(', ')}
      hint={`${description ?? ''} ${t`Separate with commas.`}`.trim()}
      onChange={(text) =>
        set(
          text
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one !== ''),
        )
      }
    />
  )
}

/** `replyControl`: "Reply control". */
function labelOf(name: string): string {
  return wordsOf(name.replaceAll(/[A-Z]+/g, (capitals) => ` ${capitals}`))
}

/** `PUBLIC_TO_EVERYONE` or `mentionedUsers`: "Public to everyone", "Mentioned users". */
function wordsOf(value: string): string {
  const words = value
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .trim()
    .toLowerCase()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`.replaceAll(/\b(aigc|id|url)\b/gi, (word) =>
    word.toUpperCase(),
  )
}
