import { useSearchParams } from 'react-router'

type Change = (params: URLSearchParams) => void

/** What is in the URL, and how to change it: from the URL as it is, because it can be ahead of what is rendered. */
function useUrl(): readonly [URLSearchParams, (change: Change) => void] {
  const [params, setParams] = useSearchParams()
  const set = (change: Change) => {
    const next = new URLSearchParams(window.location.search)
    change(next)
    setParams(next, { replace: true })
  }
  return [params, set]
}

/** A filter stored in the URL, so that it can be bookmarked, shared, and navigated back to. */
export function useUrlState<T extends string>(name: string, initial: T): readonly [T, (value: T) => void] {
  const [params, setUrl] = useUrl()
  const set = (value: T) =>
    setUrl((next) => {
      if (value === initial) next.delete(name)
      else next.set(name, value)
    })
  return [(params.get(name) as T | null) ?? initial, set]
}

/** Several filters of the URL, which can change together; an empty one is not in it. */
export function useUrlFilters<Name extends string>(
  names: readonly Name[],
): readonly [Readonly<Record<Name, string>>, (changes: Partial<Record<Name, string>>) => void] {
  const [params, setUrl] = useUrl()
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>
  const set = (changes: Partial<Record<Name, string>>) =>
    setUrl((next) => {
      for (const [name, value] of Object.entries<string | undefined>(changes)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
    })
  return [values, set]
}
