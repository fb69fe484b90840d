import { useId, type ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  Switch as AriaSwitch,
  Text,
  TextArea,
  TextField as AriaTextField,
  ToggleButton,
  ToggleButtonGroup,
  type CheckboxProps,
  type SwitchProps,
  type TextFieldProps,
} from 'react-aria-components'

interface FieldProps extends Omit<TextFieldProps, 'className' | 'children' | 'style'> {
  readonly label: string
  readonly hint?: ReactNode
  /** Number of lines of a multi-line text; absent: a single line. */
  readonly rows?: number
  readonly placeholder?: string
  readonly min?: number | string
  readonly max?: number | string
  readonly step?: number | 'any'
}

export function Field({ label, hint, rows, placeholder, min, max, step, ...props }: FieldProps) {
  return (
    <AriaTextField {...props} className="field">
      <Label>{label}</Label>
      {rows === undefined ? (
        <Input placeholder={placeholder} min={min} max={max} step={step} />
      ) : (
        <TextArea rows={rows} placeholder={placeholder} />
      )}
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error" />
    </AriaTextField>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
}

/** The browser's native select, which works well on every device. */
export function Choice(props: {
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
  readonly hint?: ReactNode
  readonly isLabelHidden?: boolean
}) {
  const id = useId()
  const { label, value, options, onChange, hint, isLabelHidden } = props
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint && <span className="hint">{hint}</span>}
    </div>
  )
}

/** A choice of one among few, all visible. */
export function Segments<T extends string>(props: {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}) {
  const { label, value, options, onChange } = props
  return (
    <ToggleButtonGroup
      aria-label={label}
      className="segments"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key !== undefined) onChange(key as T)
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} id={option.value}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, 'children' | 'className' | 'style'> & { readonly children: ReactNode }) {
  return (
    <AriaCheckbox {...props} className="checkbox">
      <span className="box" aria-hidden />
      <span>{children}</span>
    </AriaCheckbox>
  )
}

export function Switch({
  children,
  ...props
}: Omit<SwitchProps, 'children' | 'className' | 'style'> & { readonly children: ReactNode }) {
  return (
    <AriaSwitch {...props} className="switch">
      <span className="track" aria-hidden />
      <span>{children}</span>
    </AriaSwitch>
  )
}
