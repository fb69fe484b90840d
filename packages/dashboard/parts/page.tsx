import { useEffect, useRef, type ReactNode } from 'react'

/** A page's frame: sets the window title and focuses the heading, so that screen readers announce the change. */
export function Page({
  title,
  intro,
  actions,
  styles,
  children,
}: {
  readonly title: string
  readonly intro?: ReactNode
  readonly actions?: ReactNode
  /** URL of the page's own styles, without which it is not shown. */
  readonly styles?: string
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Fanfare`
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [title])
  return (
    <>
      {styles && <link rel="stylesheet" href={styles} precedence="page" />}
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <p className="intro">{intro}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}
