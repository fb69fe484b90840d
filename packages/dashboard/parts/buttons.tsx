import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components'
import { Link, type LinkProps } from 'react-router'

type Look = 'main' | 'plain' | 'danger' | 'quiet'

interface Props extends Omit<ButtonProps, 'className' | 'style'> {
  readonly look?: Look
  readonly small?: boolean
  /** The keyboard shortcut, on pages that support them. */
  readonly 'data-key'?: string
}

const classes = (look: Look, small: boolean | undefined) => `button ${look}${small ? ' small' : ''}`

/** While pending, it keeps its size and focus, and shows the state. */
export function Button({ look = 'plain', small, ...props }: Props) {
  return <AriaButton {...props} className={classes(look, small)} />
}

/** A link to a page that looks like a button. */
export function ButtonLink({
  look = 'plain',
  small,
  ...props
}: LinkProps & { readonly look?: Look; readonly small?: boolean }) {
  return <Link {...props} className={classes(look, small)} />
}

/** A link that leaves the dashboard, and looks like a button. */
export function LinkAway({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} className={classes('plain', false)}>
      {children}
    </a>
  )
}

export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className="actions">{children}</div>
}
