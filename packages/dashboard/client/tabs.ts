import { useEffect, useState } from 'react'

/** The other tabs of the browser, which have the same session. */
const tabs = new BroadcastChannel('workspace')

function reload(): void {
  window.location.assign('/')
}

/** Once the session shows another workspace: what all tabs have is of the one before. */
export function startOver(): void {
  tabs.postMessage('another')
  reload()
}

/** Begins again when the session shows another workspace than when the page began. */
export function useOneWorkspace(id: string): void {
  const [begunIn] = useState(id)
  useEffect(() => {
    if (id !== begunIn) reload()
  }, [id, begunIn])
  useEffect(() => {
    tabs.addEventListener('message', reload)
    return () => tabs.removeEventListener('message', reload)
  }, [])
}
