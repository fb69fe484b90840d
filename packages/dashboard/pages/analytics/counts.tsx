import { shown } from './numbers.ts'

/** Numbers of one thing side by side, each under its name. What nobody has told is a dash. */
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
