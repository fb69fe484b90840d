import { useEffect, useRef } from 'react'

/** Has Ctrl-Enter or Command-Enter submit the form from wherever one writes in it. */
export function useSubmitKeys() {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isHere = event.target === document.body || form.current?.contains(event.target as Node)
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isHere) return
      event.preventDefault()
      form.current?.requestSubmit()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return form
}
