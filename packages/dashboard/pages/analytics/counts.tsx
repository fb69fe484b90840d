import { shown } from './numbers.ts'

/** Labeled numbers side by side. An unknown number is a dash. */
export function Counts({ of }: { readonly of: Readonly<Record<string, number | undefined>> }) {
  return (
    <dl className="counts">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
