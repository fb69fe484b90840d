import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components'
import { Link, type LinkProps } from 'react-router'

type Look = 'main' | 'plain' | 'danger' | 'quiet'

interface Props extends Omit<ButtonProps, 'className' | 'style'> {
  readonly look?: Look
  readonly small?: boolean
  /** The key that presses it, on a page that listens for keys. */
  readonly 'data-key'?: string
}

const classes = (look: Look, small: boolean | undefined) => `button ${look}${small ? ' small' : ''}`

/** While it is pending it keeps its place and its focus, and says so. */
export function Button({ look = 'plain', small, ...props }: Props) {
  return <AriaButton {...props} className={classes(look, small)} />
}

/** Leads to a page, and looks like a button. */
export function ButtonLink({
  look = 'plain',
  small,
  ...props
}: LinkProps & { readonly look?: Look; readonly small?: boolean }) {
  return <Link {...props} className={classes(look, small)} />
}

export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className="actions">{children}</div>
}
