import { useSearchParams } from 'react-router'

/** A filter stored in the URL, so that it can be bookmarked, shared, and navigated back to. */
export function useUrlState<T extends string>(name: string, initial: T): readonly [T, (value: T) => void] {
  const [params, setParams] = useSearchParams()
  const set = (value: T) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        if (value === initial) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return [(params.get(name) as T | null) ?? initial, set]
}

/** Several filters of the URL, which can change together; an empty one is not in it. */
export function useUrlFilters<Name extends string>(
  names: readonly Name[],
): readonly [Readonly<Record<Name, string>>, (changes: Partial<Record<Name, string>>) => void] {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>
  const set = (changes: Partial<Record<Name, string>>) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        for (const [name, value] of Object.entries<string | undefined>(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  return [values, set]
}
