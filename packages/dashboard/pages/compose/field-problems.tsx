import type { Detail } from '../../client/api-error.ts'

/** Problems beside the field that they are about. */
export function FieldProblems({ of: problems, at }: { readonly of: readonly Detail[]; readonly at: RegExp }) {
  const sentences = new Set(problemsAt(problems, at))
  return (
    <ul className="field-problems" aria-live="polite">
      {[...sentences].map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

export function problemsAt(problems: readonly Detail[], at: RegExp): readonly string[] {
  return problems.flatMap(({ path, message }) => (at.test(path) ? [message] : []))
}
