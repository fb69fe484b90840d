import { useEffect, useState } from 'react'

/** The value once it has not changed for a while (ms), so that typing does not cause a request per character. */
export function useSettled<T>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(JSON.parse(text) as T), afterMs)
    return () => window.clearTimeout(timer)
  }, [text, afterMs])
  return settled
}
