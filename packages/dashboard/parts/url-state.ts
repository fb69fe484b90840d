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
